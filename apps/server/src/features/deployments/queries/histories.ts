import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

/** Sites of a project whose past there was not taken in yet. */
export async function findWithoutHistory(db: Kysely<DB>, limit: number): Promise<{ id: string; project: string }[]> {
  const { rows } = await sql<{ id: string; project: string }>`
    select s.id, s.provider_settings ->> 'project' as project from sites s
    left join deployment_histories h on h.site_id = s.id
    where s.provider = 'pages' and s.deleted_at is null and s.provider_settings ->> 'project' <> ''
      and h.lane is distinct from 'pages:' || (s.provider_settings ->> 'project')
    order by s.created_at, s.id limit ${limit}`.execute(db)
  return rows
}

export async function keepHistory(db: Kysely<DB>, siteId: string, lane: string, at: Date): Promise<void> {
  await db
    .insertInto('deployment_histories')
    .values({ site_id: siteId, lane, taken_at: at })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet({ lane, taken_at: at }))
    .execute()
}

export async function forgetHistories(db: Kysely<DB>): Promise<void> {
  await db.deleteFrom('deployment_histories').execute()
}

export async function countDeployments(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ deployments: number }>`select count(*) as deployments from deployments`.execute(db)
  return rows[0]?.deployments ?? 0
}
