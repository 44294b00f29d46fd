import type { RecordChange } from '@agency/contract/types'
import { AppError } from '../../../platform/errors.ts'
import type { Change } from '../queries/changes.ts'
import { wayOf } from '../ways/ways.ts'

const hourMs = 60 * 60_000

const isoOf = (at: Date | string): string => new Date(at).toISOString()
const settledAt = ({ settled_at, created_at }: Change): number => new Date(settled_at ?? created_at).getTime()

/** Until when a change may be undone, whether or not that moment has passed; null for an undo and an added domain. */
export const undoUntil = (change: Change): string | null =>
  change.undoes === null && change.kind !== 'add_zone' ? isoOf(new Date(settledAt(change) + hourMs)) : null

/** The newest change of a domain, for who looks at its records. */
export function toChange(change: Change, nowMs: number): RecordChange {
  const until = undoUntil(change)
  return {
    id: change.id,
    kind: change.undoes === null ? (change.kind as RecordChange['kind']) : 'undo',
    what: change.what,
    at: isoOf(new Date(settledAt(change))),
    by: change.actor_name,
    undo_until: until !== null && Date.parse(until) >= nowMs ? until : null,
  }
}

const refused = (why: string): AppError => new AppError('conflict', why)

/** Why a change cannot be undone now; undefined when it can. */
export function undoRefusal(change: Change, newest: Change | undefined, nowMs: number): AppError | undefined {
  if (change.kind === 'add_zone') return refused('A domain can only be removed in Cloudflare.')
  if (change.undoes !== null) return refused(`An undo cannot be undone. Change the ${wayOf(change).noun} instead.`)
  if (newest?.undoes === change.id && newest.state === 'done') return refused('This change was already undone.')
  if (change.state !== 'done') return refused('This change was not made, so there is nothing to undo.')
  if (newest?.id !== change.id)
    return refused(
      `${newest?.actor_name ?? 'Someone'} changed ${change.zone_name} after that. Only the last change can be undone.`,
    )
  if (nowMs - settledAt(change) > hourMs)
    return refused(`This change is more than an hour old. Change the ${wayOf(change).noun} instead.`)
  return undefined
}
