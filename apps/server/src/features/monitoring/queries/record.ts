import type { MetricKey, ServiceKey, ServiceStatus } from '@agency/contract/monitoring'
import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { toJson } from '../../../platform/json.ts'

type Db = Pick<AppContext, 'db'>

export type SeenService = { key: ServiceKey; status: ServiceStatus; detail: string; responseMs: number | null }
export type MinuteValue = { metric: MetricKey; value: number; max: number }

/** Only those that are due; whoever holds them meanwhile keeps them. */
export async function saveServices(
  { db }: Db,
  seen: readonly SeenService[],
  { at, staleBefore, nextAt }: { at: Date; staleBefore: Date; nextAt: Date },
): Promise<void> {
  await sql`
    with due as (
      select key from monitored_services where next_at <= ${at} order by key for update skip locked
    ), seen as (
      select key, status, detail, "responseMs"
      from jsonb_to_recordset(${toJson(seen)}::jsonb) as s (key text, status text, detail text, "responseMs" real)
    ), kept as (
      update monitored_services m set status = seen.status, detail = seen.detail, response_ms = seen."responseMs",
        checked_at = ${at}, next_at = ${nextAt},
        since = case when m.status = seen.status and m.checked_at >= ${staleBefore} then m.since else ${at} end
      from seen where m.key = seen.key and m.key in (select key from due)
      returning m.key, m.status, m.response_ms
    )
    insert into service_checks (key, at, status, response_ms)
    select key, ${at}, status, response_ms from kept on conflict do nothing
  `.execute(db)
}

/** Answers whether it was the first to keep them. */
export async function insertMinute({ db }: Db, minute: Date, values: readonly MinuteValue[]): Promise<boolean> {
  const { rows } = await sql`
    insert into metric_minutes (metric, minute, value, max)
    select metric, ${minute}, value, max
    from jsonb_to_recordset(${toJson(values)}::jsonb) as v (metric text, value real, max real)
    on conflict do nothing returning metric
  `.execute(db)
  return rows.length > 0
}

/** How fast the sites answered in that minute. */
export async function insertSiteResponse({ db }: Db, minute: Date): Promise<void> {
  await sql`
    with looks as (
      select percentile_cont(array[0.5, 0.95]) within group (order by total_ms) as ms from site_probes
      where at >= ${minute} and at < ${minute}::timestamptz + interval '1 minute' and not is_failure
        and total_ms is not null
    )
    insert into metric_minutes (metric, minute, value, max)
    select v.metric, ${minute}, v.ms, v.ms
    from looks, lateral (values ('site_response_p50_ms', looks.ms[1]), ('site_response_p95_ms', looks.ms[2])) v (metric, ms)
    where v.ms is not null on conflict do nothing
  `.execute(db)
}
