import type { Queryable } from '../store/store.ts'
import type { Account } from './http/route.ts'
import { type DeploymentRow, deploymentColumns, type ProjectRow } from './rules/deployments.ts'
import { isFinished } from './rules/stages.ts'
import { startBuild } from './rules/start-build.ts'
import { insertZones } from './seed/run.ts'
import { makeZone } from './seed/zones.ts'
import type { Steering } from './steering.ts'
import type { ZonePrivate } from './types.ts'

export type Scene = { db: Queryable; schema: string; now: number; account: Account; steering: Steering }
type Input = Record<string, unknown>
type Scenario = (scene: Scene, input: Input) => Promise<Record<string, unknown>>

async function projectIn({ db, schema }: Scene, { project }: Input): Promise<ProjectRow> {
  const sql = `select name, id, created, doc, priv from ${schema}.cf_projects where name = $1 for update`
  const { rows } = await db.query<ProjectRow>(sql, [project])
  if (!rows[0]) throw new Error(`There is no project '${String(project)}'`)
  return rows[0]
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What can be made to happen at Cloudflare. */
export const cloudflareScenarios: Record<string, Scenario> = {
  /** How the project's next build ends, and how much it prints. */
  next_build: async (scene, input) => {
    const { name } = await projectIn(scene, input)
    const outcome = input['outcome'] === 'failure' ? 'failure' : 'success'
    const lines = typeof input['lines'] === 'number' ? input['lines'] : undefined
    const { nextBuilds } = scene.steering
    nextBuilds.set(name, [...(nextBuilds.get(name) ?? []), { outcome, ...(lines === undefined ? {} : { lines }) }])
    return { project: name, outcome }
  },
  /** Somebody pushes a commit, and a build begins by itself. */
  push: async (scene, input) => {
    const project = await projectIn(scene, input)
    const branch = text(input['branch']) ?? project.doc.production_branch
    const request = { branch, trigger: 'github:push' as const, message: text(input['message']) }
    return { deployment: (await startBuild(scene, project, request)).id, project: project.name }
  },
  /** Somebody stops the project's newest build in Cloudflare's dashboard. */
  cancel_build: async (scene, input) => {
    const { db, schema, now } = scene
    const { name } = await projectIn(scene, input)
    const sql = `select ${deploymentColumns} from ${schema}.cf_deployments
      where project = $1 order by created desc, ord desc limit 1`
    const row = (await db.query<DeploymentRow>(sql, [name])).rows[0]
    if (!row || isFinished(row.created, row.priv, now)) throw new Error(`Nothing is being built for '${name}'`)
    await db.query(`update ${schema}.cf_deployments set live_at = null, priv = $2 where id = $1`, [
      row.id,
      JSON.stringify({ ...row.priv, stoppedAt: now }),
    ])
    return { deployment: row.id }
  },
  /** A zone comes to the account. */
  add_zone: async ({ db, schema, now, account: { seed, id, name } }, { zone }) => {
    if (typeof zone !== 'string') throw new Error("'zone' is needed")
    const options = { seed, customers: 0, zones: 0, now, account: { id, name } }
    const made = makeZone({ name: zone, plan: 'free' }, options)
    await insertZones(db, schema, [made])
    return { zone, id: made.id }
  },
  /** A zone leaves the account. */
  remove_zone: async ({ db, schema }, { zone }) => {
    const { rowCount } = await db.query(`delete from ${schema}.cf_zones where name = $1`, [zone])
    if (!rowCount) throw new Error(`There is no zone '${String(zone)}'`)
    return { zone }
  },
  /** Changes a zone: its name servers, its status, whether its analytics may be read. */
  change_zone: async ({ db, schema }, input) => {
    const { zone, analytics, ...change } = input
    const priv: Partial<ZonePrivate> = typeof analytics === 'boolean' ? { analytics } : {}
    const { rowCount } = await db.query(
      `update ${schema}.cf_zones set doc = doc || $2::jsonb, priv = priv || $3::jsonb where name = $1`,
      [zone, JSON.stringify(change), JSON.stringify(priv)],
    )
    if (!rowCount) throw new Error(`There is no zone '${String(zone)}'`)
    return { zone }
  },
}
