import { toJson } from '../../store/json.ts'
import type { Queryable } from '../../store/store.ts'
import type { BuildPlan } from '../steering.ts'
import type { BuildPrivate, Deployment, Project } from '../types.ts'
import { endOf, latestOf, skippedStages, stagesAt } from './stages.ts'

export type ProjectPrivate = {
  /** How many commits the main branch has had. */
  commits: number
  builds: 'ok' | 'failing'
}

/** What of a project does not follow from its deployments. */
export type ProjectDoc = Omit<Project, 'canonical_deployment' | 'latest_deployment' | 'domains'>
export type ProjectRow = { name: string; id: string; created: number; doc: ProjectDoc; priv: ProjectPrivate }

/** What of a deployment does not follow from the time. */
export type DeploymentDoc = Omit<Deployment, 'latest_stage' | 'stages' | 'modified_on' | 'aliases'>
export type DeploymentRow = {
  id: string
  project: string
  environment: Deployment['environment']
  created: number
  /** When it begins to be served in production; null when it never is. */
  live_at: number | null
  doc: DeploymentDoc
  priv: BuildPrivate
}

const iso = (ms: number) => new Date(ms).toISOString()

export function present(row: DeploymentRow, now: number): Deployment {
  const stages = row.doc.is_skipped ? skippedStages(row.created) : stagesAt(row.created, row.priv, now)
  const latest = latestOf(stages)
  const branch = row.doc.deployment_trigger.metadata.branch
  const host = branch.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const isDone = latest.name === 'deploy' && latest.status === 'success'
  return {
    ...row.doc,
    stages,
    latest_stage: latest,
    modified_on: latest.ended_on ?? latest.started_on ?? iso(row.created),
    aliases: row.environment === 'preview' && isDone ? [`https://${host}.${row.project}.pages.dev`] : null,
  }
}

export type NewDeployment = {
  id: string
  project: ProjectRow
  created: number
  branch: string
  commit: { hash: string; message: string; isDirty?: boolean }
  trigger: Deployment['deployment_trigger']['type']
  build: BuildPrivate
  isSkipped?: boolean
}

export function makeDeployment(given: NewDeployment): DeploymentRow {
  const { id, project, created, branch, commit, build, isSkipped = false } = given
  const environment = branch === project.doc.production_branch ? 'production' : 'preview'
  const isProduction = environment === 'production'
  const short = id.slice(0, 8)
  const doc: DeploymentDoc = {
    id,
    short_id: short,
    project_id: project.id,
    project_name: project.name,
    environment,
    url: `https://${short}.${project.name}.pages.dev`,
    created_on: iso(created),
    is_skipped: isSkipped,
    skip_reason: isSkipped ? 'commit_message' : null,
    uses_functions: false,
    build_config: project.doc.build_config!,
    source: project.doc.source!,
    env_vars: project.doc.deployment_configs[environment].env_vars,
    deployment_trigger: {
      type: given.trigger,
      metadata: {
        branch,
        commit_hash: commit.hash,
        commit_message: commit.message,
        commit_dirty: commit.isDirty ?? false,
      },
    },
  }
  const liveAt = isProduction && !isSkipped && build.failsAt === null ? endOf(created, build) : null
  return { id, project: project.name, environment, created, live_at: liveAt, doc, priv: build }
}

export const buildPrivate = (durations: number[], { outcome, lines }: BuildPlan): BuildPrivate => ({
  durations,
  failsAt: outcome === 'failure' ? 'build' : null,
  lines: lines ?? 40,
  stoppedAt: null,
})

export const deploymentColumns = 'id, project, environment, created, live_at, doc, priv'

export async function insertDeployments(db: Queryable, schema: string, rows: DeploymentRow[]): Promise<void> {
  await db.query(
    `insert into ${schema}.cf_deployments (${deploymentColumns})
     select ${deploymentColumns} from json_to_recordset($1::json) as part
       (id text, project text, environment text, created bigint, live_at bigint, doc jsonb, priv jsonb)`,
    [toJson(rows)],
  )
}

/** What production serves at a moment: the build that went live last, by succeeding or by a rollback. */
export async function findLive(
  { db, schema, now }: { db: Queryable; schema: string; now: number },
  project: string,
): Promise<DeploymentRow | undefined> {
  const { rows } = await db.query<DeploymentRow>(
    `select ${deploymentColumns} from ${schema}.cf_deployments
     where project = $1 and live_at <= $2 order by live_at desc, created desc limit 1`,
    [project, now],
  )
  return rows[0]
}
