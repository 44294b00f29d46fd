import type { DeploymentStage } from '@agency/contract/types'
import { CloudflareError } from '../../../integrations/cloudflare/errors.ts'
import type { BuildVariables, CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import type { PagesDeployment } from '../../../integrations/cloudflare/pages-answers.ts'
import { type Build, type DeployProvider, NotStarted, type Order, type Progress } from './provider.ts'
import { httpOnly, shortMessage } from './untrusted.ts'

type Project = { project: string; branch: string | null }

/** Nothing is known after these: the call may have done what it was for. */
const unsure: ReadonlySet<string> = new Set(['unavailable', 'bad_answer'])

function notStarted(error: unknown): unknown {
  if (!(error instanceof CloudflareError) || (unsure.has(error.kind) && error.mayHaveRun)) return error
  const retryAfter = error.kind === 'rate_limit' ? (error.retryAfter ?? 60) : undefined
  return new NotStarted(error.message, { retryAfter, cause: error })
}

const dateOf = (text: string | null | undefined): Date | null => {
  const at = text ? new Date(text) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

function buildOf(deployment: PagesDeployment): Build {
  const { commit_hash, commit_message, branch } = deployment.deployment_trigger?.metadata ?? {}
  const hash = commit_hash || null
  return {
    providerId: deployment.id,
    buildId: deployment.id,
    version: hash?.slice(0, 7) ?? (deployment.short_id || null),
    commitHash: hash,
    commitMessage: shortMessage(commit_message),
    branch: branch || null,
    url: httpOnly(deployment.url),
  }
}

const stageStatuses: readonly string[] = ['idle', 'active', 'success', 'failure', 'canceled', 'skipped']

const stagesOf = ({ stages }: PagesDeployment): DeploymentStage[] =>
  (stages ?? []).map(({ name, status, started_on, ended_on }) => ({
    name,
    status: (stageStatuses.includes(status) ? status : 'idle') as DeploymentStage['status'],
    started_at: dateOf(started_on)?.toISOString() ?? null,
    ended_at: dateOf(ended_on)?.toISOString() ?? null,
  }))

function outcomeOf({ latest_stage: { name, status } }: PagesDeployment): Pick<Progress, 'status' | 'failure'> {
  if (status === 'failure') return { status: 'failed', failure: `The stage ${name} failed` }
  if (status === 'canceled') return { status: 'failed', failure: `Cancelled at Cloudflare in the stage ${name}` }
  if (name !== 'deploy') return { status: 'building', failure: null }
  return { status: status === 'success' ? 'success' : 'deploying', failure: null }
}

export function progressOf(deployment: PagesDeployment): Progress {
  const outcome = outcomeOf(deployment)
  const isOver = outcome.status === 'success' || outcome.status === 'failed'
  return {
    ...buildOf(deployment),
    ...outcome,
    stages: stagesOf(deployment),
    startedAt: dateOf(deployment.stages?.[0]?.started_on) ?? dateOf(deployment.created_on),
    endedAt: isOver ? (dateOf(deployment.latest_stage.ended_on) ?? dateOf(deployment.modified_on)) : null,
  }
}

async function startAt(cloudflare: CloudflareGateway, { project, branch }: Project, { row, about }: Order) {
  const known = about?.provider_deployment_id ?? null
  if (row.kind === 'rollback') {
    if (known === null) throw new NotStarted('Cloudflare does not know this build')
    return cloudflare.rollBackTo(project, known)
  }
  if (row.kind === 'retry' && known !== null) return cloudflare.retryDeployment(project, known)
  return cloudflare.createDeployment(project, branch === null ? {} : { branch })
}

async function findLost(cloudflare: CloudflareGateway, project: string, { row, about }: Order) {
  if (row.kind === 'rollback') {
    const found = await cloudflare.findProject(project)
    const serves = found?.canonical_deployment
    return serves && serves.id === about?.provider_deployment_id ? buildOf(serves) : null
  }
  const before = new Set(row.known_before ?? [])
  const newer = (await cloudflare.listDeployments(project)).filter(({ id }) => !before.has(id))
  // A push of somebody else at the same moment is told apart by its trigger; a retry has that of what it repeats.
  const isOurs = ({ deployment_trigger: trigger }: PagesDeployment): boolean =>
    row.kind === 'retry' ? trigger?.metadata?.commit_hash === about?.commit_hash : !trigger?.type?.startsWith('github')
  const ours = newer.filter(isOurs)
  const found = ours.at(-1)
  return found ? buildOf(found) : null
}

/** Builds and serves by a project of Cloudflare Pages. */
export function pagesProvider(cloudflare: CloudflareGateway, settings: Project): DeployProvider {
  const { project } = settings
  return {
    lane: `pages:${project}`,
    rollsBackAtOnce: true,
    listKnown: async () => (await cloudflare.listDeployments(project)).map(({ id }) => id),
    async setEnvironment(values, gone) {
      const variables: BuildVariables = Object.fromEntries(gone.map((name) => [name, null]))
      for (const [name, value] of Object.entries(values)) variables[name] = { type: 'secret_text', value }
      if (Object.keys(variables).length > 0) await cloudflare.setBuildVariables(project, variables)
      return true
    },
    async start(order) {
      try {
        return buildOf(await startAt(cloudflare, settings, order))
      } catch (error) {
        throw notStarted(error)
      }
    },
    findLost: (order) => findLost(cloudflare, project, order),
    async read({ provider_deployment_id: id }) {
      const found = id === null ? null : await cloudflare.findDeployment(project, id)
      return found && progressOf(found)
    },
    async readLog({ provider_deployment_id: id }, after) {
      if (id === null) return []
      const { lines } = await cloudflare.getBuildLog(project, id)
      const newer = lines.slice(after)
      return newer.map(({ at, text }, index) => ({ number: after + index + 1, at: dateOf(at) ?? new Date(0), text }))
    },
    async stop({ kind, provider_deployment_id: id }) {
      if (kind === 'rollback') return 'the rollback has already started'
      if (id === null) return 'the build has no id yet'
      await cloudflare.deleteDeployment(project, id).catch((error: unknown) => {
        // Whoever asked before and ended did that already.
        if (!(error instanceof CloudflareError) || error.kind !== 'not_found') throw error
      })
      return null
    },
    findReported: async () => (await cloudflare.findProject(project))?.canonical_deployment?.id ?? null,
  }
}
