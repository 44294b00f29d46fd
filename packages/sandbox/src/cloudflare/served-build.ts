import type { Queryable } from '../store/store.ts'
import { findLive } from './rules/deployments.ts'

export type ServedBuild = { build: string; commit: string; message: string }

type World = { db: Queryable; schema: string; now: number }

/** What Pages serves under a host name; null when no project has this domain (any more), or nothing to serve. */
export async function servedBuild({ db, schema, now }: World, host: string): Promise<ServedBuild | null> {
  const { rows } = await db.query<{ project: string }>(`select project from ${schema}.cf_domains where name = $1`, [
    host.toLowerCase(),
  ])
  const live = rows[0] ? await findLive({ db, schema, now }, rows[0].project) : undefined
  if (!live) return null
  const { commit_hash: commit, commit_message: message } = live.doc.deployment_trigger.metadata
  return { build: live.id, commit, message }
}
