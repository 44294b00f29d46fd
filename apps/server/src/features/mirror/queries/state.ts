import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>

export type EventFigures = {
  pending: number
  dead: number
  lastAppliedAt: Date | null
  lagP95: number | null
  lastReceivedAt: Date | null
}

// A burst must not make the question expensive: the newest thousand tell the lag as well.
const sample = 1000

export async function findEventFigures(db: Db, since: Date): Promise<EventFigures> {
  const { rows } = await sql<EventFigures>`
    select
      (select count(*) from webhook_events where state = 'pending') as pending,
      (select count(*) from webhook_events where state = 'dead') as dead,
      (select applied_at from webhook_events where state = 'applied' order by applied_at desc limit 1) as "lastAppliedAt",
      (select percentile_cont(0.95) within group (order by greatest(0, extract(epoch from applied_at - created_at)))
        from (
          select applied_at, created_at from webhook_events
          where state = 'applied' and applied_at >= ${since} order by applied_at desc limit ${sql.lit(sample)}
        ) newest) as "lagP95",
      (select received_at from webhook_events where origin = 'webhook' order by received_at desc limit 1)
        as "lastReceivedAt"`.execute(db)
  return rows[0] as EventFigures
}

export async function findAsOf(db: Db): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`select mirror_as_of() as at`.execute(db)
  return rows[0]?.at ?? null
}

export type RunFigures = {
  lastReconcileAt: Date | null
  lastWalkAt: Date | null
  drift: { id: string; differed: number; repaired: number; finished_at: Date } | null
}

export async function findRunFigures(db: Db): Promise<RunFigures> {
  const newest = (kind: 'events' | 'walk') =>
    db
      .selectFrom('drift_reports')
      .select(['id', 'differed', 'repaired', 'finished_at'])
      .where('kind', '=', kind)
      .where('state', '=', 'done')
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  const [events, walk] = await Promise.all([newest('events'), newest('walk')])
  const last = [events, walk]
    .filter((report) => report?.finished_at)
    .sort((a, b) => (b?.finished_at?.getTime() ?? 0) - (a?.finished_at?.getTime() ?? 0))[0]
  return {
    lastReconcileAt: events?.finished_at ?? null,
    lastWalkAt: walk?.finished_at ?? null,
    drift: last?.finished_at ? { ...last, finished_at: last.finished_at } : null,
  }
}
