import { inTransaction, type RequestContext } from '../../context.ts'
import type { ObjectKind, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { completeObjects } from './complete.ts'
import { isFailureAtOne } from './problem.ts'
import { type Fetch, nextFetchSeq } from './queries/upsert.ts'
import { findIds, type Scope } from './queries/walk.ts'
import { buryObject, writeObjects } from './writer.ts'

const pageSize = 200

export type Gone = { kind: ObjectKind; id: string }

/** So many one after the other are an outage. */
const mostFailures = 3

/**
 * A complete listing did not bring these rows: each is asked for by itself and buried when it is gone. Answers how many
 * were asked for; `onGone` hears of the buried ones. One that the provider fails at stays as it is, and `onFailed` hears of it.
 */
export async function verifyUnseen(
  ctx: RequestContext,
  stripe: StripeGateway,
  kind: ObjectKind,
  scope: Scope,
  source: Fetch['source'],
  signal: AbortSignal,
  {
    isSeen = (_id: string): boolean => false,
    onGone = async (_gone: Gone): Promise<void> => {},
    onFailed = async (_failed: Gone & { reason: string }): Promise<void> => {},
  } = {},
): Promise<number> {
  let after = ''
  let checked = 0
  let failures = 0
  for (;;) {
    const ids = await findIds(ctx.db, kind, scope, { after, limit: pageSize })
    for (const id of ids) {
      if (isSeen(id)) continue
      signal.throwIfAborted()
      checked++
      try {
        if (!(await refreshOne(ctx, stripe, kind, id, source))) await onGone({ kind, id })
        failures = 0
      } catch (error) {
        failures += 1
        if (!isFailureAtOne(error) || failures >= mostFailures) throw error
        ctx.log.warn({ err: error, kind, id }, 'the provider fails at this object')
        await onFailed({ kind, id, reason: error.message })
      }
    }
    const last = ids.at(-1)
    if (last === undefined || ids.length < pageSize) return checked
    after = last
  }
}

/** Answers whether it still exists. */
async function refreshOne(
  ctx: RequestContext,
  stripe: StripeGateway,
  kind: ObjectKind,
  id: string,
  source: Fetch['source'],
): Promise<boolean> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await stripe.findObject(kind, id)
  const objects = object === null ? [] : await completeObjects(ctx.db, stripe, kind, [object])
  const fetchedAt = new Date(ctx.clock())
  await inTransaction(ctx, async (tx) => {
    if (object === null) await buryObject(tx, kind, id)
    else await writeObjects(tx, kind, objects, { fetchSeq, fetchedAt, source })
  })
  return object !== null
}
