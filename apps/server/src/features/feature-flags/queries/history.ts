import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import type { Settings } from '../settings.ts'

export type HistoryRow = {
  id: string
  at: Date
  actor_name: string
  action: string
  before: (Settings & Detail) | null
  after: (Settings & Detail) | null
}
type Detail = { reason?: string | null; to?: number; steps?: number }

const most = 200

/** What the audit log has of a flag, newest first. */
export async function findHistory({ db }: Pick<AppContext, 'db'>, flagId: string): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`
    select id::text, at, actor_name, action, before, after from audit_entries
    where resource_type = 'feature_flag' and resource_id = ${flagId} and outcome = 'done'
    order by at desc, id desc limit ${most}`.execute(db)
  return rows
}

/** The settings that a flag had in a version of it. */
export async function findVersion(
  { db }: Pick<AppContext, 'db'>,
  flagId: string,
  version: number,
): Promise<Settings | undefined> {
  const { rows } = await sql<{ after: Settings }>`
    select after from audit_entries
    where resource_type = 'feature_flag' and resource_id = ${flagId} and outcome = 'done'
      and after ->> 'version' = ${String(version)} and after ? 'rollout_by'
    order by at desc, id desc limit 1`.execute(db)
  return rows[0]?.after
}
