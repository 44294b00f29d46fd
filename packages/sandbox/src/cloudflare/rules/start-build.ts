import { randomFrom } from '../../world/random.ts'
import type { Call } from '../http/route.ts'
import { uuid } from '../seed/ids.ts'
import type { BuildPlan, Steering } from '../steering.ts'
import type { Deployment } from '../types.ts'
import { commitAt } from './commits.ts'
import { buildPrivate, type DeploymentRow, insertDeployments, makeDeployment, type ProjectRow } from './deployments.ts'
import { durationsOf } from './stages.ts'

export type BuildRequest = {
  branch: string
  trigger: Deployment['deployment_trigger']['type']
  /** Without one the branch's newest commit is built. */
  hash?: string | undefined
  message?: string | undefined
  isDirty?: boolean
}

function planOf({ nextBuilds }: Steering, { name, priv }: ProjectRow): BuildPlan {
  const told = nextBuilds.get(name)?.shift()
  return told ?? { outcome: priv.builds === 'failing' ? 'failure' : 'success' }
}

/** Begins a build. Whoever asks without naming a commit finds that somebody has pushed one meanwhile. */
export async function startBuild(
  call: Pick<Call, 'db' | 'schema' | 'now' | 'steering' | 'account'>,
  project: ProjectRow,
  request: BuildRequest,
): Promise<DeploymentRow> {
  const { db, schema, now, steering, account } = call
  const number = project.priv.commits
  const head = commitAt(account.seed, project.name, number)
  const commit = request.hash
    ? { hash: request.hash, message: request.message ?? '', isDirty: request.isDirty ?? false }
    : { ...head, ...(request.message ? { message: request.message } : {}) }
  await db.query(`update ${schema}.cf_projects set priv = $2 where name = $1`, [
    project.name,
    JSON.stringify({ ...project.priv, commits: number + 1 }),
  ])
  const random = randomFrom(`${account.seed} build ${project.name} ${number}`)
  const durations = durationsOf(steering.stageMs).map((share) => Math.round(share * (0.8 + 0.4 * random.next())))
  const row = makeDeployment({
    id: uuid(account.seed, `deployment ${project.name} ${number}`),
    project,
    created: now,
    branch: request.branch,
    commit,
    trigger: request.trigger,
    build: buildPrivate(durations, planOf(steering, project)),
  })
  await insertDeployments(db, schema, [row])
  return row
}
