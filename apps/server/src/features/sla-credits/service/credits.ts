import type { slaCredits } from '@agency/contract'
import type { BodyOf, ResponseOf } from '@agency/contract/endpoint'
import type { SlaCredit } from '@agency/contract/sla-credits'
import type { RequestContext } from '../../../context.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { actionRequest, answerAction, beginAction, perform } from '../../billing/index.ts'
import { incidentLabel } from '../../incidents/index.ts'
import { type CreditAnswer, sendCredit } from '../action/send.ts'
import { insertCredit, lockCredits } from '../queries/credits.ts'
import { proposeCredits } from './propose.ts'

export async function getCredits(
  ctx: RequestContext,
  incidentId: string,
): Promise<ResponseOf<typeof slaCredits.getSlaCredits>> {
  const { incident, credits, isExact } = await proposeCredits(ctx, incidentId)
  return { credits, is_over: incident.resolved_at !== null, measured_by: isExact ? 'looks' : 'hours' }
}

async function proposalFor(ctx: Pick<RequestContext, 'db' | 'clock'>, about: CreditAnswer) {
  const { credits, incident } = await proposeCredits(ctx, about.incident, about.customer)
  const credit = credits.find(({ customer_id }) => customer_id === about.customer)
  if (!credit) throw invalidParameter('customer_id', 'is not affected by this incident')
  return { credit, incident }
}

const creditOf = async (ctx: RequestContext, about: CreditAnswer): Promise<SlaCredit> =>
  (await proposalFor(ctx, about)).credit

function checkOwed(credit: SlaCredit, { amount, currency }: { amount: number; currency: string }): void {
  if (credit.state === 'given') throw new AppError('conflict', 'This credit was already given. Nothing was credited.')
  if (credit.state === 'in_progress')
    throw new AppError('conflict', 'This credit is already in progress. Nothing more was credited.')
  if (credit.state !== 'proposed')
    throw new AppError('conflict', `Nothing can be credited: ${credit.reason ?? 'nothing is owed'}`)
  if (credit.amount !== amount || credit.currency !== currency)
    throw new AppError(
      'conflict',
      `The figures have changed: ${moneyText(credit.amount, credit.currency ?? currency)} is owed now. Nothing was credited.`,
    )
}

type Body = BodyOf<typeof slaCredits.giveSlaCredit>

/** Written down with its evidence first, then credited at Stripe under a key of its own. */
export async function giveCredit(
  ctx: RequestContext,
  incidentId: string,
  body: Body,
  claim: Claim | null,
): Promise<SlaCredit> {
  const customer = body.customer_id
  const about = { incident: incidentId, customer }
  const request = actionRequest('sla_credit', customer, claim)
  const begun = await beginAction<undefined, CreditAnswer>(ctx, request, {
    lock: async (tx) => {
      await lockCredits(tx, customer)
      return undefined
    },
    async prepare(tx) {
      const { incident, credit } = await proposalFor(tx, about)
      checkOwed(credit, body)
      const { amount, currency } = body
      const isFirst = await insertCredit(tx, {
        ...{ incident_id: incidentId, customer_id: customer, action_id: request.id, amount, currency },
        ...{ lines: credit.lines, created_at: new Date(tx.clock()), created_by: tx.actor.name },
      })
      if (!isFirst) throw new AppError('conflict', 'This credit was already given. Nothing was credited.')
      const payload = { incident: incidentId, number: incident.number, lines: credit.lines }
      return { payload, amount, currency, told: { before: {}, expected: { incident_name: incidentLabel(incident) } } }
    },
  })
  if ('answer' in begun) return creditOf(ctx, begun.answer)
  return creditOf(ctx, await perform(ctx, begun, sendCredit))
}

/** What became of one that comes again. */
export async function answerCredit(ctx: RequestContext, id: string): Promise<SlaCredit> {
  return creditOf(ctx, await answerAction<CreditAnswer>(ctx, id))
}
