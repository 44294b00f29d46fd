import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { fields } from '../../../integrations/stripe/fields.ts'
import type { Answer, ProviderObject, StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { type ActionRow, type Done, NotDone, refusalOf, type Work } from '../../billing/index.ts'
import { insertEvent } from '../../incidents/index.ts'

/** What a repeat is answered from: the credit is read as it is then. */
export type CreditAnswer = { incident: string; customer: string }

type Payload = { incident: string; number: number }

const payloadOf = ({ payload }: ActionRow): Payload => payload as Payload

export const isCreditOf = (action: ActionRow, change: ProviderObject): boolean =>
  fields(change['metadata'])['action_id'] === action.id && change['amount'] === -(action.amount ?? 0)

/** The first time or again: the provider makes it once for one key. */
export async function askForCredit(stripe: StripeGateway, action: ActionRow): Promise<Answer> {
  const { incident, number } = payloadOf(action)
  const answer = await stripe.creditCustomer({
    customer: action.target_id,
    amount: action.amount ?? 0,
    currency: action.currency ?? '',
    description: `SLA credit for incident ${number}`,
    metadata: { action_id: action.id, incident },
    idempotencyKey: action.provider_key,
  })
  if (!isCreditOf(action, answer.object))
    throw new ProviderError('bad_answer', 'Stripe answered with a different credit')
  return answer
}

/** The provider has made it: the action, the audit log and the timeline of the incident say so together. */
export function creditDone(action: ActionRow, made: ProviderObject, requestId: string | null): Done<CreditAnswer> {
  const { incident } = payloadOf(action)
  return {
    ...{ seen: [], resultId: made.id, requestId, status: 'given' },
    async answerOf(tx) {
      await insertEvent(tx, incident, {
        ...{ kind: 'credit_given', actor: action.actor_name },
        // The timeline is never changed, so the name of a customer who is erased must not be in it.
        text: `${moneyText(action.amount ?? 0, action.currency ?? 'usd')} to one customer`,
      })
      return { incident, customer: action.target_id }
    },
  }
}

/** The first try. */
export async function sendCredit({ stripe, action }: Work): Promise<Done<CreditAnswer>> {
  const { object, requestId } = await askForCredit(stripe, action).catch((error: unknown) => {
    const refusal = refusalOf(error, false)
    throw refusal ? new NotDone(refusal) : error
  })
  return creditDone(action, object, requestId)
}
