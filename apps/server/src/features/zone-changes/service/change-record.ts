import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { toJson } from '../../../platform/json.ts'
import { type Change, findNewest, insertChange, isUnderWay, lockChange, patchChange } from '../queries/changes.ts'
import type { Deed, Told } from '../ways/way.ts'
import { wayOf } from '../ways/ways.ts'
import { undoRefusal } from './undo-rules.ts'

type Zone = { id: string; name: string }
type State = 'requested' | 'retried' | 'done' | 'failed' | 'unknown'

function audit(tx: TransactionContext, change: Change, state: State): Promise<void> {
  const { problem } = change
  const way = wayOf(change)
  const { was, becomes } = way.sidesOf(change)
  return recordAudit(tx, {
    action: way.actionOf(change),
    resource: 'domain',
    id: change.zone_id,
    before: was,
    after: {
      ...{ deed_id: change.id, state, what: change.what },
      ...becomes,
      ...(change.undoes !== null && { undoes: change.undoes }),
      ...(problem !== null && { problem }),
    },
    outcome: state === 'failed' || state === 'unknown' ? 'failed' : 'done',
  })
}

const underWay = (change: Pick<Change, 'kind'>) =>
  new AppError('conflict', `This ${wayOf(change).noun} is being changed right now. Try again in a moment.`)

/** Written down before anything is sent; from here on nobody else changes this record from here. */
export function begin(
  ctx: RequestContext,
  zone: Zone,
  deed: Deed,
  { claim, undone = null }: { claim: Claim | null; undone?: Change | null },
): Promise<Change> {
  return inTransaction(ctx, async (tx) => {
    const id = `dns_${randomUUID()}`
    await bindKey(tx, claim, id)
    if (undone) {
      const refusal = undoRefusal(await lockChange(tx.db, undone.id), await findNewest(tx.db, zone.id), tx.clock())
      if (refusal) throw refusal
    }
    const { kind, subject, what, record_id, shown, wanted } = deed
    const change = await insertChange(tx.db, {
      ...{ id, zone_id: zone.id, zone_name: zone.name, kind, subject, what, record_id, state: 'started' },
      ...{ shown: shown && toJson(shown), wanted: wanted && toJson(wanted) },
      undoes: undone?.id ?? null,
      ...{ actor_id: tx.actor.id, actor_name: tx.actor.name, created_at: new Date(tx.clock()) },
    })
    if (!change) throw underWay(deed)
    await audit(tx, change, 'requested')
    return change
  })
}

/** Longer than its calls take: until then whoever began it is at it. */
export const leaseMs = 60_000

/** Takes up a change of which nobody knows what became of it; one that is settled stays as it is. */
export function beginAgain(ctx: RequestContext, id: string): Promise<Change> {
  return inTransaction(ctx, async (tx) => {
    const change = await lockChange(tx.db, id)
    if (change.state === 'done' || change.state === 'failed') return change
    const isHeld = change.state === 'started' && tx.clock() - new Date(change.created_at).getTime() < leaseMs
    if (isHeld || (await isUnderWay(tx.db, change))) throw underWay(change)
    const again = await patchChange(tx.db, id, { state: 'started', created_at: new Date(tx.clock()), problem: null })
    await audit(tx, again, 'retried')
    return again
  })
}

/** As Cloudflare has it, before anything is sent: what undo puts back. */
export const keepBefore = ({ db }: RequestContext, { id }: Change, before: Told | null): Promise<Change> =>
  patchChange(db, id, { before: before && toJson(before) })

export type Outcome =
  | { state: 'done'; after: Told | null }
  | { state: 'failed' | 'unknown'; problem: string; code: string; parameter?: string | undefined }

/** Writes down what became of it, unless somebody else has done so or has taken it up again. */
export function settle(ctx: RequestContext, { id, created_at }: Change, outcome: Outcome): Promise<Change> {
  return inTransaction(ctx, async (tx) => {
    const change = await lockChange(tx.db, id)
    const isTakenUp = change.created_at.getTime() !== created_at.getTime()
    if (isTakenUp || change.state === 'done' || change.state === 'failed') return change
    const settled_at = new Date(tx.clock())
    const way = wayOf(change)
    const settled = await patchChange(
      tx.db,
      id,
      outcome.state === 'done'
        ? {
            ...{ state: 'done', settled_at, problem: null },
            after: outcome.after && toJson(outcome.after),
            ...(outcome.after && way.idsOf?.(outcome.after)),
          }
        : {
            ...{ state: outcome.state, settled_at, problem: outcome.problem },
            ...{ problem_code: outcome.code, problem_parameter: outcome.parameter ?? null },
          },
    )
    if (outcome.state === 'done' && outcome.after) await way.keep?.(tx, settled, outcome.after)
    await audit(tx, settled, outcome.state)
    return settled
  })
}
