import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'

const most = 50
const mostCounted = 1000

export type CauseRow = {
  id: string
  queue_name: string
  error: string
  jobs: number
  has_more_jobs: boolean
  first_failed_at: string
  last_failed_at: string
}

const cause = 'job_fingerprint(j.name, j.output)'
const ofIt = `from jobs.job j where j.state = 'failed' and ${cause} = c.id`

// From one cause to the next along the index, so that it costs as much as there are causes, not jobs.
const text = `with recursive causes as (
    (select ${cause} as id from jobs.job j where j.state = 'failed' order by 1 limit 1)
    union all
    select (select ${cause} from jobs.job j where j.state = 'failed' and ${cause} > c.id order by 1 limit 1)
      from causes c where c.id is not null
  ), known as (select id from causes where id is not null limit 500)
  select c.id, l.name as queue_name, left(coalesce(job_error(l.output), 'No reason was given'), 500) as error,
    least(n.jobs, ${mostCounted}) as jobs, n.jobs > ${mostCounted} as has_more_jobs,
    iso_utc(f.completed_on) as first_failed_at, iso_utc(l.completed_on) as last_failed_at
  from known c
    cross join lateral (select j.name, j.output, j.completed_on ${ofIt} order by ${cause} desc, j.completed_on desc limit 1) l
    cross join lateral (select j.completed_on ${ofIt} order by ${cause}, j.completed_on limit 1) f
    cross join lateral (select count(*) as jobs from (select ${ofIt} limit ${mostCounted + 1}) x) n
  order by l.completed_on desc limit ${most + 1}`

export async function findCauses(pool: Pool): Promise<{ causes: CauseRow[]; has_more: boolean }> {
  const rows = await runStatement<CauseRow>(pool, { text, values: [] })
  return { causes: rows.slice(0, most), has_more: rows.length > most }
}
