import type { SiteStatus, SiteStatusChange } from '@agency/contract/types'
import type { TransactionContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import { insertStatusChange } from '../queries/history.ts'
import { patchRow, type SiteRow } from '../queries/sites.ts'
import { mayChange } from '../rules/transitions.ts'

export type StatusChange = {
  to: SiteStatus
  cause: SiteStatusChange['cause']
  reason?: string | null
  /** By hand for a while: until then, and what comes after. */
  until?: { at: Date; after: SiteStatus } | null
}

/** Changes the status of a locked site and writes the history; what the table of transitions lacks is refused. */
export async function changeStatus(
  tx: TransactionContext,
  site: SiteRow,
  { to, cause, reason = null, until = null }: StatusChange,
  more: Parameters<typeof patchRow>[2] = {},
): Promise<SiteRow> {
  const from = site.status as SiteStatus
  const isAgain = from === to && cause === 'by_hand'
  if (!isAgain && !mayChange(from, to, cause))
    throw new AppError('conflict', `A site that is ${from} cannot become ${to} now. Nothing was changed.`)
  const at = new Date(tx.clock())
  const ended = to === 'deleted' ? { deleted_at: at } : {}
  const patched = await patchRow(tx.db, site.id, {
    ...more,
    ...ended,
    ...{ status: to, status_reason: reason, updated_at: at },
    ...{ status_until: until?.at ?? null, status_after: until?.after ?? null },
  })
  await insertStatusChange(tx.db, {
    ...{ site_id: site.id, at, from_status: from, to_status: to, cause, reason },
    ...{ until: until?.at ?? null, actor_type: tx.actor.type, actor_name: tx.actor.name },
  })
  return patched
}
