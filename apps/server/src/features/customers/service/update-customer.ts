import type { updateCustomer as contract } from '@agency/contract/customers'
import type { BodyOf } from '@agency/contract/endpoint'
import type { CustomerDetails } from '@agency/contract/types'
import { inTransaction, type RequestContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import { nextFetchSeq, recordObject } from '../../mirror/index.ts'
import { patchWrite, type WriteRow } from '../queries/writes.ts'
import { checkKeys, connectedStripe } from '../writing/checks.ts'
import { changeOf, type Editable, editableOf, versionOf } from '../writing/editable.ts'
import { providerKeyOf } from '../writing/provider-key.ts'
import { sendWrite } from '../writing/send.ts'
import { abandonWrite, beginWrite, recordWrite, writeRequest } from '../writing/write.ts'
import { getCustomer } from './get-customer.ts'

type Body = BodyOf<typeof contract>

/** What the customer is at the provider now. Refuses when that is not what the change was made to. */
async function lookBefore(
  ctx: RequestContext,
  stripe: StripeGateway,
  row: WriteRow,
  id: string,
  { version, ...wanted }: Body,
): Promise<Editable> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject('customer', id)
  if (!object) throw new AppError('conflict', 'This customer was deleted at Stripe. Nothing was saved.')
  const before = editableOf(object)
  if (versionOf(before) !== version) {
    await inTransaction(ctx, (tx) => recordObject(tx, 'customer', object, fetchSeq))
    ctx.changes.tell('customers')
    throw new AppError('conflict', 'Somebody has changed this customer meanwhile. Nothing was saved.', {
      parameter: 'version',
    })
  }
  checkKeys(before, wanted)
  await patchWrite(ctx.db, row.id, { before: JSON.stringify(before) })
  return before
}

/** Changes a customer at the provider, sending what differs only, and here what the provider made of it. */
export async function updateCustomer(
  ctx: RequestContext,
  id: string,
  body: Body,
  idempotencyKey: string | null,
): Promise<CustomerDetails> {
  const stripe = connectedStripe(ctx)
  const { row, isRepeat } = await beginWrite(ctx, writeRequest('update', id, body, idempotencyKey))
  if (row.state === 'done') return getCustomer(ctx, id)
  // What a repeat sends again is what was sent first, whatever the customer is by now.
  const known = row.before as Editable | null
  const before =
    known ??
    (await lookBefore(ctx, stripe, row, id, body).catch(async (error: unknown) => {
      await abandonWrite(ctx, row)
      throw error
    }))
  const { version: _, ...wanted } = body
  const change = changeOf(before, wanted)
  if (!change) {
    await abandonWrite(ctx, row)
    return getCustomer(ctx, id)
  }
  const sent = await sendWrite(ctx, row, {
    send: () => stripe.updateCustomer(id, change, providerKeyOf(row.id)),
    async find() {
      const object = await stripe.in('brief').findObject('customer', id)
      return object && changeOf(editableOf(object), wanted) === null ? object : null
    },
    isRepeat: isRepeat && known !== null,
  })
  await recordWrite(ctx, row, sent, before)
  return getCustomer(ctx, id)
}
