import type { AlertSeverity, MetricKey } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'

type Counted<Label> = readonly { label: Label; count: number }[]

export type Snapshot = {
  /** The newest of each figure, no older than was asked for. */
  figures: readonly { metric: MetricKey; value: number }[]
  alerts: Counted<AlertSeverity>
  sites: Counted<string>
  services: Counted<string>
  /** null: there is no copy yet. */
  mirrorAsOf: Date | null
  webhooksPending: number
  oldestWebhook: Date | null
  databaseBytes: number
}

const counted = (table: string, column: string, where: string) =>
  sql.raw(`coalesce((select jsonb_agg(x) from (
    select ${column} as label, count(*) as count from ${table} where ${where} group by 1 order by 1) x), '[]')`)

/** In one statement, so that all of it is of one moment. */
export async function readSnapshot({ db }: Pick<AppContext, 'db'>, since: Date): Promise<Snapshot> {
  const { rows } = await sql<Snapshot>`
    select
      coalesce((select jsonb_agg(x) from (
        select distinct on (metric) metric, value from metric_minutes
        where minute > ${since} order by metric, minute desc) x), '[]') as figures,
      ${counted('alerts', 'severity', "status <> 'resolved' and cause_id is null")} as alerts,
      ${counted('sites', 'health_status', 'deleted_at is null')} as sites,
      ${counted('monitored_services', 'status', 'true')} as services,
      mirror_as_of()::timestamptz as "mirrorAsOf",
      (select count(*) from webhook_events where state = 'pending') as "webhooksPending",
      (select min(received_at) from webhook_events where state = 'pending') as "oldestWebhook",
      pg_database_size(current_database()) as "databaseBytes"`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database answered no snapshot')
  return row
}
