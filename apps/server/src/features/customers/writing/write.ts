import { createHash, randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import type { ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { recordObject } from '../../mirror/index.ts'
import {
  deleteWrite,
  deleteWritesBefore,
  findRunningWrite,
  insertWrite,
  lockCustomer,
  lockWrite,
  patchWrite,
  type WriteRow,
} from '../queries/writes.ts'
import { differenceOf, type Editable, editableOf } from './editable.ts'

/** What the provider made of it. `requestId` is null where it was found rather than answered. */
export type Sent = { object: ProviderObject; fetchSeq: number; requestId: string | null }

/** What a caller asked for. `id` is the Idempotency-Key; without one a repeat cannot be told from a new request. */
export type WriteRequest = { id: string; kind: 'create' | 'update'; customerId: string | null; hash: string }

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const writeRequest = (
  kind: WriteRequest['kind'],
  customerId: string | null,
  body: unknown,
  key: string | null,
): WriteRequest => ({
  id: key ?? randomUUID(),
  kind,
  customerId,
  hash: sha256(JSON.stringify([kind, customerId, body])),
})

/** Longer than all tries of one call to the provider take. */
const leaseMs = 60_000
/** The provider forgets a key after a day. */
const keptMs = 7 * 24 * 60 * 60_000

const keyTaken = () =>
  new AppError('idempotency_conflict', 'This Idempotency-Key was used for another request already: take a new one')
const stillRunning = () =>
  new AppError('conflict', 'This is still being saved. Its outcome will be answered when the call is repeated.')

/** Writes down that something is about to be sent. A row that is done was answered before, and nothing is sent again. */
export function beginWrite(ctx: RequestContext, request: WriteRequest): Promise<{ row: WriteRow; isRepeat: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const customer = request.customerId === null ? null : await lockCustomer(tx.db, request.customerId)
    if (customer === undefined) throw notFound(`Customer ${request.customerId}`)
    const earlier = await lockWrite(tx.db, request.id)
    if (earlier) return { row: await takeUp(tx, request, earlier), isRepeat: true }
    if (customer?.deleted_at) throw new AppError('conflict', 'This customer was deleted at Stripe. Nothing was saved.')
    await deleteWritesBefore(tx.db, new Date(tx.clock() - keptMs))
    return { row: await insertRunning(tx, request), isRepeat: false }
  })
}

async function takeUp(tx: TransactionContext, request: WriteRequest, earlier: WriteRow): Promise<WriteRow> {
  if (earlier.payload_hash !== request.hash) throw keyTaken()
  if (earlier.state === 'done') return earlier
  if (earlier.state === 'running' && earlier.lease_end.getTime() > tx.clock()) throw stillRunning()
  await patchWrite(tx.db, earlier.id, { state: 'running', lease_end: new Date(tx.clock() + leaseMs) })
  return earlier
}

async function insertRunning(tx: TransactionContext, { id, kind, customerId, hash }: WriteRequest): Promise<WriteRow> {
  const now = new Date(tx.clock())
  const other = customerId === null ? undefined : await findRunningWrite(tx.db, customerId, now)
  if (other)
    throw new AppError('conflict', `${other.actor_name} is saving this customer right now. Try again in a moment.`)
  const row = await insertWrite(tx.db, {
    id,
    kind,
    customer_id: customerId,
    payload_hash: hash,
    before: null,
    state: 'running',
    lease_end: new Date(now.getTime() + leaseMs),
    actor_name: tx.actor.name,
    created_at: now,
  })
  if (!row) throw stillRunning()
  return row
}

/** It did not happen: the key is free again. */
export const abandonWrite = (ctx: RequestContext, { id }: WriteRow): Promise<void> => deleteWrite(ctx.db, id)

/** It may have happened: whoever repeats it finds out. */
export const leaveUnknown = (ctx: RequestContext, { id }: WriteRow): Promise<void> =>
  patchWrite(ctx.db, id, { state: 'unknown' })

/** Writes down what the provider has done, once, with its audit entry. */
export async function recordWrite(ctx: RequestContext, row: WriteRow, sent: Sent, before: Editable): Promise<void> {
  const { object, fetchSeq, requestId } = sent
  try {
    await inTransaction(ctx, async (tx) => {
      const locked = await lockWrite(tx.db, row.id)
      if (locked?.state === 'done') return
      await recordObject(tx, 'customer', object, fetchSeq)
      await patchWrite(tx.db, row.id, { state: 'done', customer_id: object.id })
      const { before: was, after } = differenceOf(before, editableOf(object))
      await recordAudit(tx, {
        action: `customer.${row.kind}`,
        resource: 'customer',
        id: object.id,
        ...(row.kind === 'update' && { before: was }),
        after: { ...after, action_id: row.id, provider_request_id: requestId },
      })
    })
    // This process hears of a change like all others, but its own next request may come sooner.
    ctx.changes.tell('customers')
  } catch (error) {
    ctx.log.error(
      { err: error, customerId: object.id, actionId: row.id },
      'customer was saved at Stripe but not recorded',
    )
    await leaveUnknown(ctx, row)
    throw error
  }
}
