/** Of a row of pg-boss's, by our five words. */
export const statusOf = (state: string): string => `case when ${state} < 'active' then 'pending'
  when ${state} = 'active' then 'processing' else ${state}::text end`

export const durationOf = (row: string): string => `case when ${row}.started_on is null then null
  when ${row}.state = 'active' then greatest(0, round(extract(epoch from now() - ${row}.started_on) * 1000))::bigint
  when ${row}.completed_on is not null
    then greatest(0, round(extract(epoch from ${row}.completed_on - ${row}.started_on) * 1000))::bigint end`

/** Of `j`. */
export const jobColumns = `j.id, j.name as queue_name, ${statusOf('j.state')} as status, iso_utc(j.created_on) as created_at,
  case when j.started_on is null and j.state <> 'failed' then 0 else j.retry_count + 1 end as attempts,
  j.retry_limit + 1 as max_attempts,
  case when j.state < 'active' then iso_utc(j.start_after) end as next_run_at,
  exists (select from queue_pauses p where p.queue = j.name) as is_paused,
  iso_utc(j.started_on) as started_at, iso_utc(j.completed_on) as finished_at, ${durationOf('j')} as duration_ms,
  case when j.state in ('retry', 'failed') then left(job_error(j.output), 2000) end as error,
  case when j.state = 'failed' then job_fingerprint(j.name, j.output) end as cause,
  coalesce(j.data, '{}') as data`

export type JobRow = {
  id: string
  queue_name: string
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled'
  created_at: string
  attempts: number
  max_attempts: number
  next_run_at: string | null
  is_paused: boolean
  started_at: string | null
  finished_at: string | null
  duration_ms: number | null
  error: string | null
  cause: string | null
  data: Record<string, unknown>
}
