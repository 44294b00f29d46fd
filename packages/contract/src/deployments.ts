import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, listOf, pageQuery, searchText } from './primitives.ts'

export const deploymentStatuses = ['queued', 'building', 'deploying', 'success', 'failed', 'cancelled'] as const
export const deploymentStatus = z.enum(deploymentStatuses)
export type DeploymentStatus = z.output<typeof deploymentStatus>

export const deploymentKinds = ['deploy', 'retry', 'rollback'] as const
const kind = z.enum(deploymentKinds)
export type DeploymentKind = z.output<typeof kind>

/**
 * Which build the site was found to serve. `matches`: it is the awaited one; null where nobody could say. `source`: the
 * answer of the site itself carried it, or the provider alone says so because the site's answers carry no build.
 */
export const servedBuild = z.object({
  build_id: z.string().nullable(),
  expected: z.string().nullable(),
  matches: z.boolean().nullable(),
  source: z.enum(['response', 'provider']).nullable(),
  checked_at: instant,
  detail: z.string(),
})
export type ServedBuild = z.output<typeof servedBuild>

/** Why it may not be done now; null: it may, by whoever has the permission. */
const whyNot = z.string().nullable()

export const deployment = z.object({
  id: z.string(),
  site_id: z.string(),
  site_name: z.string(),
  site_domain: z.string(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  kind,
  status: deploymentStatus,
  /** Why it was asked for, in the words of whoever asked. */
  reason: z.string().nullable(),
  /** Why it failed, or what a cancellation left behind. */
  failure: z.string().nullable(),
  /** The first seven characters of the commit, or the provider's short name. */
  version: z.string().nullable(),
  queued_at: instant,
  started_at: instant.nullable(),
  completed_at: instant.nullable(),
  /** In seconds; null until it is over. */
  duration: count.nullable(),
  /** While it is queued: 1 is the next one. */
  position: z.int().min(1).nullable(),
  /** What it waits for in the queue, or why nothing is heard of it while it runs. */
  waiting_for: z.string().nullable(),
  provider: z.enum(['pages', 'hook']),
  provider_deployment_id: z.string().nullable(),
  build_id: z.string().nullable(),
  commit_hash: z.string().nullable(),
  commit_message: z.string().nullable(),
  branch: z.string().nullable(),
  /** Where this very build is served; an http or https address, or null. */
  url: z.string().nullable(),
  /** `provider`: it was not started here, the provider told of it. */
  origin: z.enum(['console', 'provider']),
  requested_by: z.string().nullable(),
  /** The version of the site's environment that it was built with; null where it was built without one of ours. */
  environment_version: count.nullable(),
  /** Of a rollback: the deployment whose build it brings back. */
  rolled_back_to: z.string().nullable(),
  /** Of a rollback: what that build is called. */
  restored: z.object({ version: z.string().nullable(), commit_message: z.string().nullable() }).nullable(),
  /** Its build is the one that the site serves now. After a rollback that is the earlier deployment, not the rollback itself. */
  is_live: z.boolean(),
  /** Of a retry: the deployment that it repeats. */
  retry_of: z.string().nullable(),
  /** Somebody asked for its end. */
  cancel_requested_at: instant.nullable(),
  /** Lines of its log so far. */
  log_lines: count,
  /** `rollback`: go back to this one. */
  can: z.object({ cancel: whyNot, retry: whyNot, rollback: whyNot }),
})
export type Deployment = z.output<typeof deployment>

export const deploymentStage = z.object({
  name: z.string(),
  status: z.enum(['idle', 'active', 'success', 'failure', 'canceled', 'skipped']),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
})
export type DeploymentStage = z.output<typeof deploymentStage>

export const deploymentDetails = z.object({
  ...deployment.shape,
  stages: z.array(deploymentStage),
  /** Of the environment that a rollback brought back, and of what it did not. */
  environment_note: z.string().nullable(),
  served: servedBuild.nullable(),
  /** Its page in the provider's dashboard. */
  provider_page: z.string().nullable(),
  /** No line will be added any more. */
  is_log_complete: z.boolean(),
  /** The newest lines, 100 at most; `/deployments/:id/log` has them all. */
  logs: z.array(z.string()),
})
export type DeploymentDetails = z.output<typeof deploymentDetails>

export const deploymentCounts = z.object({
  all: count,
  queued: count,
  building: count,
  deploying: count,
  success: count,
  failed: count,
  cancelled: count,
})
export type DeploymentCounts = z.output<typeof deploymentCounts>

const reads = ['deployments', 'sites'] as const

export const listDeployments = endpoint({
  method: 'GET',
  path: '/deployments',
  permission: 'sites.read',
  summary: 'Deployments, newest first; search looks at the site, its domain, the version and the commit',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    /** One or several, separated by commas. */
    status: listOf(z.enum([...deploymentStatuses, 'all'])).optional(),
    /** The id of a site. */
    site: z.string().min(1).max(64).optional(),
    /** The id of a customer. */
    customer: z.string().min(1).max(255).optional(),
  }),
  response: z.object({
    deployments: z.array(deployment),
    has_more: z.boolean(),
    /** How many match; null where that is not counted. */
    total: count.nullable(),
    /** Over all deployments, or over those of the site when `site` is given. */
    counts: deploymentCounts,
  }),
  topics: reads,
})

export const getDeployment = endpoint({
  method: 'GET',
  path: '/deployments/:id',
  permission: 'sites.read',
  summary: 'One deployment with its stages, the proof of what is live, and the end of its log',
  params: idParams,
  response: z.object({ deployment: deploymentDetails }),
  topics: reads,
})

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const maxReason = 500
const reason = z
  .string()
  .trim()
  .max(maxReason, `A reason has ${maxReason} characters at most`)
  .refine(isText, 'A reason is text')
  .transform((text) => (text === '' ? null : text))
  .nullable()
  .default(null)

const started = z.object({
  deployment: deploymentDetails,
  /** An equal one was waiting or had just begun, so none was added. */
  is_repeat: z.boolean(),
})

export const createDeployment = endpoint({
  method: 'POST',
  path: '/sites/:id/deployments',
  permission: 'sites.deploy',
  summary: 'Queue a deployment of a site',
  params: idParams,
  body: z.strictObject({ kind: z.literal('deploy').default('deploy'), reason }).nullish(),
  response: started,
  idempotent: true,
})

export const retryDeployment = endpoint({
  method: 'POST',
  path: '/deployments/:id/retry',
  permission: 'sites.deploy',
  summary: 'Queue a deployment that failed or was cancelled once more',
  params: idParams,
  body: z.strictObject({ reason }).nullish(),
  response: started,
  idempotent: true,
})

export const cancelDeployment = endpoint({
  method: 'POST',
  path: '/deployments/:id/cancel',
  permission: 'sites.deploy',
  summary: 'Take a deployment out of the queue, or stop it at the host; a finished one stays unchanged',
  params: idParams,
  response: z.object({ deployment: deploymentDetails }),
  idempotent: true,
})

export const rollbackPreview = z.object({
  /** What would be served again. */
  to: deployment,
  /** What is served now, as far as it is known. */
  from: deployment.nullable(),
  /** How old the build is. */
  age_seconds: count,
  commits: z.object({ from: z.string().nullable(), to: z.string().nullable() }),
  /** From what a build made now would get to what the build was made with: names only. */
  environment: z.object({
    from_version: count.nullable(),
    to_version: count.nullable(),
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
    /** The environment of then can be made the current one. */
    can_restore: z.boolean(),
  }),
  /** What comes back, and what stays as it is now, in words. */
  restores: z.array(z.string()),
  keeps: z.array(z.string()),
  /** Why it cannot be done now. */
  blocked: whyNot,
})
export type RollbackPreview = z.output<typeof rollbackPreview>

const deploymentId = z.string().min(1).max(64)

export const previewRollback = endpoint({
  method: 'GET',
  path: '/sites/:id/rollback/preview',
  permission: 'sites.deploy',
  summary: 'What rolling back a site would change',
  params: idParams,
  query: z.strictObject({ to: deploymentId }),
  response: z.object({ preview: rollbackPreview }),
  topics: reads,
  isPersonal: true,
})

export const rollbackSite = endpoint({
  method: 'POST',
  path: '/sites/:id/rollback',
  permission: 'sites.deploy',
  summary: 'Roll back a site to an earlier build, and verify that it is live',
  params: idParams,
  body: z.strictObject({
    to: deploymentId,
    reason,
    /** Make the environment of then the current one too, for the builds to come. */
    restore_environment: z.boolean().default(false),
  }),
  response: started,
  idempotent: true,
})

export const logLine = z.object({ number: z.int().min(1), at: instant, text: z.string() })
export type LogLine = z.output<typeof logLine>

const wholeNumber = (what: string) => z.coerce.number({ error: what }).int(what).min(0, what)
const afterText = 'must be the number of a line'
const after = wholeNumber(afterText).max(2_000_000_000, afterText)
const lineLimitText = 'must be a whole number from 1 to 2000'

export const readDeploymentLog = endpoint({
  method: 'GET',
  path: '/deployments/:id/log',
  permission: 'sites.read',
  summary: 'Lines of the build log after a line number, oldest first; with search, those that contain it',
  params: idParams,
  query: z.strictObject({
    after: after.default(0),
    limit: wholeNumber(lineLimitText).min(1, lineLimitText).max(2000, lineLimitText).default(500),
    search: searchText.optional(),
  }),
  response: z.object({
    lines: z.array(logLine),
    has_more: z.boolean(),
    /** Lines that there are in all, whatever is searched for. */
    total: count,
    /** None will be added any more. */
    complete: z.boolean(),
  }),
})

export const findLogMatches = endpoint({
  method: 'GET',
  path: '/deployments/:id/log/matches',
  permission: 'sites.read',
  summary: 'The numbers of the lines of the build log that contain a text, 10,000 at most, and how many there are',
  params: idParams,
  query: z.strictObject({ search: searchText.min(1, 'must not be empty') }),
  response: z.object({ numbers: z.array(z.int().min(1)), total: count }),
})

/**
 * `event: lines`, `data: {"lines":[{number,at,text}],"total":n,"complete":false}` with the lines after `after` and, as they come, the new
 * ones; `id:` is the number of the last. `event: end` when none will come any more. A comment line every 15 s keeps the
 * stream open.
 */
export const streamDeploymentLog = endpoint({
  method: 'GET',
  path: '/deployments/:id/log/stream',
  permission: 'sites.read',
  summary: 'Lines of the build log as they come, as server-sent events',
  params: idParams,
  query: z.strictObject({ after: after.default(0) }),
  response: z.string(),
  produces: 'text/event-stream',
})

export const downloadDeploymentLog = endpoint({
  method: 'GET',
  path: '/deployments/:id/log.txt',
  permission: 'sites.read',
  summary: 'The whole build log as a text file',
  params: idParams,
  response: z.string(),
  produces: 'text/plain',
})
