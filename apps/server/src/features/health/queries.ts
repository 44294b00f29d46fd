import { sql } from 'kysely'
import type { AppContext } from '../../context.ts'

type Db = Pick<AppContext, 'db'>

export async function ping({ db }: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Whether the database answers and has what the console reads. */
export async function touchMirror({ db }: Db): Promise<void> {
  await sql`select from mirror_imports limit 1`.execute(db)
}

export async function findDatabaseSize({ db }: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

export type MirrorFigures = {
  pending: number
  oldestPendingAt: Date | null
  dead: number
  import: { state: string; error: string | null } | null
  problem: { kind: string; message: string; since: Date } | null
  /** How old the copy is; null before the first import is complete. */
  asOf: Date | null
}

export async function findMirrorFigures({ db }: Db): Promise<MirrorFigures> {
  const problem = await db.selectFrom('provider_problems').select(['kind', 'message', 'since']).executeTakeFirst()
  const { rows } = await sql<{
    pending: number
    oldest: Date | null
    dead: number
    state: string | null
    error: string | null
    asOf: Date | null
  }>`
    select
      mirror_as_of()::timestamptz as "asOf",
      count(*) filter (where state = 'pending') as pending,
      min(received_at) filter (where state = 'pending') as oldest,
      count(*) filter (where state = 'dead') as dead,
      (select state from mirror_imports order by started_at desc limit 1) as state,
      (select error from mirror_imports order by started_at desc limit 1) as error
    from webhook_events where state in ('pending', 'dead')
  `.execute(db)
  const row = rows[0]
  return {
    pending: row?.pending ?? 0,
    oldestPendingAt: row?.oldest ?? null,
    dead: row?.dead ?? 0,
    import: row?.state ? { state: row.state, error: row.error } : null,
    problem: problem ?? null,
    asOf: row?.asOf ?? null,
  }
}

export async function countFailedMails({ db }: Db, since: Date): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::integer as failed from mails where state = 'failed' and created_at >= ${since}
  `.execute(db)
  return rows[0]?.failed ?? 0
}

/** A minute is as bad as its worst moment in any process. */
export async function recordHealthMinute({ db }: Db, at: Date, overall: string): Promise<void> {
  await sql`
    insert into health_minutes as m (minute, overall) values (date_trunc('minute', ${at}::timestamptz), ${overall})
    on conflict (minute) do update set overall = excluded.overall
    where array_position(array['healthy', 'degraded', 'down'], excluded.overall)
      > array_position(array['healthy', 'degraded', 'down'], m.overall)
  `.execute(db)
}

/** Of the minutes since a day ago, or since the first one known: how many saw a console that was not down. */
export async function findUptimePercent({ db }: Db, now: Date): Promise<number | null> {
  const { rows } = await sql<{ percent: string | null }>`
    with span as (
      select greatest(date_trunc('minute', ${now}::timestamptz - interval '1 day'), min(minute)) as first
      from health_minutes
    )
    select 100.0 * count(*) filter (where m.overall <> 'down')
      / nullif(extract(epoch from date_trunc('minute', ${now}::timestamptz) - span.first) / 60 + 1, 0) as percent
    from span left join health_minutes m on m.minute >= span.first and m.minute <= ${now}::timestamptz
    group by span.first
  `.execute(db)
  const percent = rows[0]?.percent
  return percent == null ? null : Math.min(100, Number(percent))
}

export async function deleteMinutesBefore({ db }: Db, before: Date): Promise<void> {
  await db.deleteFrom('health_minutes').where('minute', '<', before).execute()
}

export type BackupFigures = {
  madeAt: Date | null
  failedAt: Date | null
  provenAt: Date | null
  drillFailedAt: Date | null
}

export async function findBackupFigures({ db }: Db): Promise<BackupFigures> {
  const { rows } = await sql<BackupFigures>`
    select (select max(finished_at) from backups where state = 'done') as "madeAt",
      (select max(finished_at) from backups where state = 'failed') as "failedAt",
      (select max(finished_at) from backup_drills where state = 'done') as "provenAt",
      (select max(finished_at) from backup_drills where state = 'failed') as "drillFailedAt"`.execute(db)
  return rows[0] ?? { madeAt: null, failedAt: null, provenAt: null, drillFailedAt: null }
}
