import type { paymentLinks } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import { fields } from '../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import { manyOf, mostPagesOf, pagesOf } from '../../integrations/stripe/pages.ts'
import type { ActionRow, ObjectWay, Work } from '../billing/index.ts'
import { hasKnownBefore } from './queries.ts'
import type { LinkTerms } from './rules.ts'
import { getShownLink } from './service/read.ts'

/** `plan_name`: what it sells, in short. */
export type NewPayload = LinkTerms & { plan_name: string }
export type SwitchPayload = { plan_name: string; active: boolean }

const kind = 'payment_link'

const payloadOf = <P>({ payload }: ActionRow): P => payload as P

/** By the action's mark. The list knows no dates, but it is newest first: behind what was here before it cannot be. */
async function findMade({ ctx, look, action }: Work): Promise<ProviderObject | null> {
  const load = (startingAfter: string | undefined) => look.listObjects(kind, startingAfter ? { startingAfter } : {})
  for await (const { objects } of pagesOf(load, { what: manyOf(kind), most: mostPagesOf(kind) })) {
    const found = objects.find((object) => fields(object['metadata'])['action_id'] === action.id)
    if (found) return found
    const ids = objects.map(({ id }) => id)
    if (await hasKnownBefore(ctx.db, ids, action.created_at)) return null
  }
  return null
}

const newLink: ObjectWay<ResponseOf<typeof paymentLinks.createPaymentLink>, ProviderObject> = {
  kind,
  refusals: { resource_missing: () => 'This price does not exist at Stripe any more' },
  send({ stripe, action }) {
    const { price, quantity, ...terms } = payloadOf<NewPayload>(action)
    return stripe.createPaymentLink({
      ...{ price, quantity, isQuantityAdjustable: terms.adjustable_quantity },
      ...{ allowPromotionCodes: terms.allow_promotion_codes, trialDays: terms.trial_days },
      metadata: { action_id: action.id },
      idempotencyKey: action.provider_key,
    })
  },
  find: findMade,
  done: ({ action }, made, how) => ({
    ...asSeen(made, how),
    ...{ status: 'created', told: { before: {}, after: { plan_name: payloadOf<NewPayload>(action).plan_name } } },
    answerOf: async (tx) => ({ success: true, payment_link: await getShownLink(tx, made.id) }),
  }),
}

const switched: ObjectWay<ResponseOf<typeof paymentLinks.switchPaymentLink>, ProviderObject> = {
  kind,
  refusals: { resource_missing: () => 'This payment link does not exist at Stripe any more' },
  async send({ stripe, action }) {
    const { active } = payloadOf<SwitchPayload>(action)
    const answer = await stripe.switchPaymentLink(action.target_id, active, action.provider_key)
    if (answer.object['active'] !== active)
      throw new ProviderError('bad_answer', 'Stripe answered with a payment link that does not show the change')
    return answer
  },
  async find({ look, action }) {
    const object = await look.findObject(kind, action.target_id)
    return object?.['active'] === payloadOf<SwitchPayload>(action).active ? object : null
  },
  done({ action }, made, how) {
    const { plan_name, active } = payloadOf<SwitchPayload>(action)
    return {
      ...asSeen(made, how),
      ...{ status: active ? 'on' : 'off', told: { before: { active: !active }, after: { plan_name, active } } },
      answerOf: async (tx) => ({
        success: true,
        payment_link: await getShownLink(tx, action.target_id),
        changed: true,
      }),
    }
  },
}

function asSeen(made: ProviderObject, { fetchSeq, requestId }: { fetchSeq: number; requestId: string | null }) {
  return { seen: [{ kind, object: made, fetchSeq } as const], resultId: made.id, requestId }
}

export const ways = { payment_link_create: newLink, payment_link_switch: switched }
