import { createHash, randomUUID } from 'node:crypto'
import type { ShownRecord } from '@agency/contract/types'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { toJson } from '../../../platform/json.ts'
import { keepSetting } from '../../domains/index.ts'
import { type Change, findNewest, insertChange, isUnderWay, lockChange, patchChange } from '../queries/changes.ts'
import { type Answered, recordTitle, type Sent, toShown } from '../record.ts'
import { type SettingState, settingTitle } from '../setting.ts'
import { undoRefusal } from './undo-rules.ts'

/** What is to be done to one record, or to one setting. */
export type Deed =
  | { kind: 'set'; shown: SettingState; wanted: SettingState }
  | { kind: 'create'; wanted: Sent }
  | { kind: 'update'; recordId: string; shown: ShownRecord; wanted: Sent }
  | { kind: 'delete'; recordId: string; shown: ShownRecord }

type Zone = { id: string; name: string }
type State = 'requested' | 'retried' | 'done' | 'failed' | 'unknown'

const actions: Record<string, string> = {
  create: 'domain.add_record',
  update: 'domain.edit_record',
  delete: 'domain.delete_record',
  set: 'domain.change_setting',
}

/** The record of a change, as it is told: what was sent has no content of its own where it has parts. */
const factsOf = (record: ShownRecord | Sent | null): object | undefined => {
  if (record === null) return undefined
  const { type, name, ttl, comment } = record
  const { content, priority, proxied, data } = record as Partial<ShownRecord>
  return { type, name, content, priority, data: data ?? undefined, ttl, proxied, comment: comment || null }
}

/** What a change is of, before and after it. */
function sidesOf({ kind, before, after, shown, wanted }: Change): {
  was: object | undefined
  becomes: object | undefined
} {
  if (kind === 'set') return { was: (before ?? shown) as object, becomes: (after ?? wanted) as object }
  const was = before ? toShown(before as Answered) : (shown as ShownRecord | null)
  const becomes = after ? toShown(after as Answered) : (wanted as Sent | null)
  const { type, name } = (becomes ?? was) as ShownRecord
  return {
    was: factsOf(kind === 'create' ? null : was),
    becomes: kind === 'delete' ? { type, name } : factsOf(becomes),
  }
}

function actionOf({ kind, undoes }: Change): string {
  if (undoes === null) return actions[kind] ?? ''
  return kind === 'set' ? 'domain.undo_setting' : 'domain.undo_record'
}

function audit(tx: TransactionContext, change: Change, state: State): Promise<void> {
  const { problem } = change
  const { was, becomes } = sidesOf(change)
  return recordAudit(tx, {
    action: actionOf(change),
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

/** What nobody else may change meanwhile, and how it is called. */
function subjectOf(deed: Deed, zone: Zone): { subject: string; what: string; record_id: string | null } {
  if (deed.kind === 'set') {
    const { setting } = deed.wanted
    return { subject: `setting ${setting}`, what: settingTitle(setting, zone.name), record_id: null }
  }
  if (deed.kind === 'create') return { subject: digest(deed.wanted), what: recordTitle(deed.wanted), record_id: null }
  return { subject: deed.recordId, what: recordTitle(deed.shown), record_id: deed.recordId }
}

const digest = (wanted: Sent): string => createHash('sha256').update(JSON.stringify(wanted)).digest('hex')
const underWay = (kind: string) =>
  new AppError(
    'conflict',
    `This ${kind === 'set' ? 'setting' : 'record'} is being changed right now. Try again in a moment.`,
  )

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
    const wanted = deed.kind === 'delete' ? null : deed.wanted
    const shown = deed.kind === 'create' ? null : deed.shown
    const change = await insertChange(tx.db, {
      ...{ id, zone_id: zone.id, zone_name: zone.name, kind: deed.kind, state: 'started' },
      ...subjectOf(deed, zone),
      ...{ shown: shown && toJson(shown), wanted: wanted && toJson(wanted) },
      undoes: undone?.id ?? null,
      ...{ actor_id: tx.actor.id, actor_name: tx.actor.name, created_at: new Date(tx.clock()) },
    })
    if (!change) throw underWay(deed.kind)
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
    if (isHeld || (await isUnderWay(tx.db, change))) throw underWay(change.kind)
    const again = await patchChange(tx.db, id, { state: 'started', created_at: new Date(tx.clock()), problem: null })
    await audit(tx, again, 'retried')
    return again
  })
}

/** As Cloudflare has it, before anything is sent: what undo puts back. */
export const keepBefore = ({ db }: RequestContext, { id }: Change, before: Told | null): Promise<Change> =>
  patchChange(db, id, { before: before && toJson(before) })

/** A record or a setting, as Cloudflare told it. */
export type Told = Answered | SettingState

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
    const settled = await patchChange(
      tx.db,
      id,
      outcome.state === 'done'
        ? {
            ...{ state: 'done', settled_at, problem: null },
            after: outcome.after && toJson(outcome.after),
            record_id: outcome.after && 'id' in outcome.after ? outcome.after.id : change.record_id,
          }
        : {
            ...{ state: outcome.state, settled_at, problem: outcome.problem },
            ...{ problem_code: outcome.code, problem_parameter: outcome.parameter ?? null },
          },
    )
    if (outcome.state === 'done' && change.kind === 'set')
      await keepSetting(tx, change.zone_id, outcome.after as SettingState)
    await audit(tx, settled, outcome.state)
    return settled
  })
}
