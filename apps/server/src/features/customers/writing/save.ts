import { ProviderError } from '../../../integrations/stripe/errors.ts'
import { fields } from '../../../integrations/stripe/fields.ts'
import type { Answer, CustomerChange, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import { type ActionRow, NotDone, type Refusal, refusalOf, type Seen, type Work } from '../../billing/index.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import { changeOf, type Editable, editableOf, type Wanted } from './editable.ts'

/** What is sent, what it is made to, and what somebody wanted; nothing of it once the customer was erased. */
export type Payload = { change: CustomerChange; before: Editable; wanted: Wanted }

export const payloadOf = ({ payload }: ActionRow): Partial<Payload> => payload as Partial<Payload>

/** What the provider made of it. `requestId` is null where it was found rather than answered. */
export type Saved = { seen: Seen; requestId: string | null }

/** By how much the provider's clock may be behind. */
const clocksDifferMs = 10 * 60_000
const mostPages = 10

/** By the action that the console gave it, among those that were made since. */
async function findMade({ look, action }: Work): Promise<ProviderObject | null> {
  const createdFrom = new Date(action.created_at.getTime() - clocksDifferMs)
  const load = (startingAfter: string | undefined) =>
    look.listObjects('customer', { createdFrom, ...(startingAfter && { startingAfter }) })
  for await (const { objects } of pagesOf(load, { what: 'new customers', most: mostPages })) {
    const found = objects.find((object) => fields(object['metadata'])['action_id'] === action.provider_key)
    if (found) return found
  }
  return null
}

/** The customer as it is now, if it shows what was sent; null: it does not; undefined: that cannot be told. */
async function find(work: Work): Promise<ProviderObject | null | undefined> {
  const { look, action } = work
  if (action.kind === 'customer_create') return findMade(work)
  const { wanted } = payloadOf(action)
  if (!wanted) return undefined
  const object = await look.findObject('customer', action.target_id)
  return object && changeOf(editableOf(object), wanted) === null ? object : null
}

function send({ stripe, action }: Work, change: CustomerChange): Promise<Answer> {
  const key = action.provider_key
  if (action.kind !== 'customer_create') return stripe.updateCustomer(action.target_id, change, key)
  return stripe.createCustomer({ ...change, metadata: { ...change.metadata, action_id: key } }, key)
}

/** Stripe has come to an end with it; only a conflict says that an earlier try still runs. */
const wasAnswered = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.providerStatus !== undefined && error.kind !== 'conflict'

/** What proves that nothing happened: a refusal, or any answer once nothing of it is found. */
function proofOf(error: unknown, { isRepeat, isMissing }: { isRepeat: boolean; isMissing: boolean }): Refusal | null {
  const refusal = refusalOf(error, isRepeat)
  const extras = error instanceof ProviderError ? error.extras : {}
  if (refusal && (isMissing || !isRepeat)) return { ...refusal, extras }
  if (!isMissing || !wasAnswered(error)) return null
  const { code, message, requestId } = error
  return { code, message: `${message}. Nothing was saved: try again.`, requestId, extras }
}

/** Sends it; where the answer is lost, looks whether it has happened. Throws `NotDone`, or what leaves it open. */
export async function save(work: Work): Promise<Saved> {
  const { ctx, action } = work
  const isRepeat = work.tries > 1
  const fetchSeq = await nextFetchSeq(ctx.db)
  const seen = (object: ProviderObject): Seen => ({ kind: 'customer', object, fetchSeq })
  try {
    const { change } = payloadOf(action)
    if (!change) return await conclude(work)
    const { object, requestId } = await send(work, change)
    // The answer to a repeated call is as old as the first one.
    return isRepeat ? await seeAgain(work, object, requestId) : { seen: seen(object), requestId }
  } catch (error) {
    if (error instanceof NotDone) throw error
    const refused = proofOf(error, { isRepeat, isMissing: false })
    if (refused) throw new NotDone(refused)
    const object = await find(work).catch(() => undefined)
    if (object) return { seen: seen(object), requestId: null }
    const proof = proofOf(error, { isRepeat, isMissing: object === null })
    throw proof ? new NotDone(proof) : error
  }
}

async function seeAgain(work: Work, made: ProviderObject, requestId: string | null): Promise<Saved> {
  return { seen: (await see(work, made.id)) ?? (await goneSince(work, made)), requestId }
}

/** It was saved and deleted again meanwhile: the copy hears of that by its own event. */
const goneSince = async ({ ctx }: Work, object: ProviderObject): Promise<Seen> => ({
  kind: 'customer',
  object,
  fetchSeq: await nextFetchSeq(ctx.db),
})

export async function see({ ctx, stripe }: Pick<Work, 'ctx' | 'stripe'>, id: string): Promise<Seen | null> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('customer', id)
  return object && { kind: 'customer', object, fetchSeq }
}

/** Without sending anything: whether what was sent long ago, or may not be sent again, has happened. */
export async function conclude(work: Work): Promise<Saved> {
  const fetchSeq = await nextFetchSeq(work.ctx.db)
  const object = await find(work)
  if (object) return { seen: { kind: 'customer', object, fetchSeq }, requestId: null }
  throw new NotDone({
    code: 'provider_unavailable',
    message: 'Stripe does not show the change. Check the customer, then try again.',
  })
}
