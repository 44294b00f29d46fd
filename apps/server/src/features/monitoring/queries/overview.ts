import type { MonitoringOverview } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** By severity and status; what another alert stands for is counted with that one. */
export async function countActiveAlerts({ db }: Db): Promise<MonitoringOverview['activeAlerts']> {
  const { rows } = await sql<MonitoringOverview['activeAlerts'][number]>`
    select severity, status, count(*)::integer as count from alerts
    where status <> 'resolved' and cause_id is null
    group by severity, status
    order by array_position(array['critical', 'error', 'warning', 'info'], severity),
      array_position(array['open', 'acknowledged', 'snoozed'], status)
  `.execute(db)
  return rows
}

/** The newest that stand by themselves and were not false. */
export async function findRecentIncidents({ db }: Db, count: number): Promise<MonitoringOverview['recentIncidents']> {
  const { rows } = await sql<MonitoringOverview['recentIncidents'][number]>`
    select i.id, i.severity, i.number as "incidentNumber", i.status, i.title, iso_utc(i.opened_at) as "createdAt",
      u.name as "assignedTo"
    from incidents i left join users u on u.id = i.assignee_id
    where i.merged_into is null and not i.is_false_positive
    order by i.opened_at desc, i.number desc limit ${count}
  `.execute(db)
  return rows
}
