import type { AlertSeverity } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { TransactionContext } from '../../../context.ts'

type Tx = Pick<TransactionContext, 'db'>

export type Notice = {
  id: string
  rule: string
  severity: AlertSeverity
  title: string
  detail: string
  times_notified: number
  notified_at: Date | null
  resolved_at: Date | null
  subject_id: string
  /** Whose sites are affected. */
  customer_ids: string[]
}

/**
 * Alerts that are open and were not told, and those that ended by themselves after they were told. One about a site
 * waits until `gathered`, by when a common cause would be known. `muted`: rules of which nothing is told now.
 */
export async function findToNotify(
  { db }: Tx,
  { gathered, muted, most }: { gathered: Date; muted: readonly string[]; most: number },
): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select id, rule, severity, title, detail, times_notified, notified_at, resolved_at, subject_id,
      array(select distinct s.customer_id from alert_sites s where s.alert_id = alerts.id and s.customer_id is not null)
        as customer_ids
    from alerts
    where cause_id is null and not is_silenced and rule <> all(${[...muted]}::text[]) and (
      (status = 'open' and notified_at is null and not is_flapping and (subject <> 'site' or opened_at <= ${gathered}))
      or (status = 'resolved' and resolved_by is null and times_notified > 0 and end_notified_at is null)
    )
    order by opened_at, id limit ${most}`.execute(db)
  return rows
}

export async function markNotified({ db }: Tx, { id, resolved_at }: Notice, at: Date): Promise<void> {
  await (resolved_at
    ? sql`update alerts set end_notified_at = ${at} where id = ${id}`
    : sql`update alerts set notified_at = ${at}, times_notified = times_notified + 1, end_notified_at = null
        where id = ${id}`
  ).execute(db)
}
