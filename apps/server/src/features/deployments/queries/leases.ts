import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { DeploymentChange, DeploymentRow } from './rows.ts'

type Db = Kysely<DB>

/** Ones under way whose process is gone: nobody has held them for as long as a lease lasts. */
export async function findAbandoned(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('deployments')
    .select('id')
    .where('status', 'in', ['building', 'deploying'])
    .where('origin', '=', 'console')
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .orderBy('queued_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** The first that waits in each lane in which nothing runs. */
export async function findStartable(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select distinct on (lane) id, queued_at from deployments d
      where status = 'queued' and not exists (
        select from deployments o
        where o.lane = d.lane and o.status in ('building', 'deploying') and o.origin = 'console'
      )
      order by lane, queued_at, id
    ) first order by queued_at limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** undefined: somebody else was quicker. */
export const takeLease = (
  db: Db,
  { id, owner, now, until }: { id: string; owner: string; now: Date; until: Date },
): Promise<DeploymentRow | undefined> =>
  db
    .updateTable('deployments')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', id)
    .where('status', 'in', ['building', 'deploying'])
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst()

/** undefined: it does not wait any more. Throws `23505` when another of its lane was quicker. */
export const startQueued = (
  db: Db,
  { id, owner, now, until }: { id: string; owner: string; now: Date; until: Date },
): Promise<DeploymentRow | undefined> =>
  db
    .updateTable('deployments')
    .set({
      ...{ lease_owner: owner, lease_until: until, started_at: now },
      status: sql<string>`case kind when 'rollback' then 'deploying' else 'building' end`,
    })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returningAll()
    .executeTakeFirst()

/** Answers whether the lease is held still. */
export async function renewLease(db: Db, id: string, owner: string, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deployments')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', 'in', ['building', 'deploying'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Changes it only as long as the lease is held: undefined means that somebody else has it by now. */
export const patchHeld = (
  db: Db,
  { id, owner }: { id: string; owner: string },
  change: DeploymentChange,
): Promise<DeploymentRow | undefined> =>
  db
    .updateTable('deployments')
    .set(change)
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .where('status', 'in', ['building', 'deploying'])
    .returningAll()
    .executeTakeFirst()

export async function dropLeases(db: Db, owner: string): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_owner', '=', owner)
    .where('status', 'in', ['building', 'deploying'])
    .execute()
}
