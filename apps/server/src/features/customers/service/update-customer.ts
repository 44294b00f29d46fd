import type { updateCustomer as contract } from '@agency/contract/customers'
import type { BodyOf } from '@agency/contract/endpoint'
import type { CustomerDetails } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { actionRequest, beginAction, findSaves, openText } from '../../billing/index.ts'
import { nextFetchSeq, recordObject } from '../../mirror/index.ts'
import { findDeleted, lockCustomer } from '../queries/locks.ts'
import { checkKeys, connectedStripe } from '../writing/checks.ts'
import { changeOf, type Editable, editableOf, versionOf } from '../writing/editable.ts'
import type { Payload } from '../writing/save.ts'
import { type Answer, performSave } from '../writing/settle.ts'
import { getCustomer } from './get-customer.ts'

type Body = BodyOf<typeof contract>
type Look = { before: Editable; at: Date }

const deleted = () => new AppError('conflict', 'This customer was deleted at Stripe. Nothing was saved.')
const changedMeanwhile = () =>
  new AppError('conflict', 'Someone else changed this customer. Nothing was saved.', { parameter: 'version' })

/** One change of a customer at a time, and each is made to what the one before left. */
async function refuseBeside({ db, clock }: Pick<RequestContext, 'db' | 'clock'>, id: string, since: Date) {
  const [other] = await findSaves(db, id, since)
  if (!other) return
  if (other.state === 'done') throw changedMeanwhile()
  throw new AppError('conflict', `${openText(other, clock())}. Wait for that first.`)
}

/** What the customer is at the provider now. Refuses when that is not what the change was made to. */
async function lookBefore(ctx: RequestContext, id: string, { version, ...wanted }: Body): Promise<Look> {
  const stripe = connectedStripe(ctx)
  const found = await findDeleted(ctx.db, id)
  if (!found) throw notFound(`Customer ${id}`)
  if (found.deleted_at) throw deleted()
  const at = new Date(ctx.clock())
  await refuseBeside(ctx, id, at)
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('customer', id)
  if (!object) throw deleted()
  const before = editableOf(object)
  if (versionOf(before) !== version) {
    await inTransaction(ctx, (tx) => recordObject(tx, 'customer', object, fetchSeq))
    ctx.changes.tell('customers')
    throw changedMeanwhile()
  }
  checkKeys(before, wanted)
  return { before, at }
}

/** Changes a customer at the provider, sending what differs only, and here what the provider made of it. */
export async function updateCustomer(
  ctx: RequestContext,
  id: string,
  body: Body,
  claim: Claim | null,
): Promise<CustomerDetails> {
  const look = await lookBefore(ctx, id, body)
  const request = actionRequest('customer_update', id, claim)
  const begun = await beginAction<Awaited<ReturnType<typeof lockCustomer>>, Answer>(ctx, request, {
    lock: (tx) => lockCustomer(tx.db, id),
    async prepare(tx, customer) {
      if (!customer) throw notFound(`Customer ${id}`)
      if (customer.deleted_at) throw deleted()
      await refuseBeside(tx, id, look.at)
      const { version: _, ...wanted } = body
      const change = changeOf(look.before, wanted)
      if (!change) return { unchanged: { id }, payload: {} }
      const payload: Payload = { change, before: look.before, wanted }
      return { payload, amount: null, currency: null, told: { before: {}, expected: wanted } }
    },
  })
  const { id: saved } = 'answer' in begun ? begun.answer : await performSave(ctx, begun)
  return getCustomer(ctx, saved)
}
