import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, searchText } from './primitives.ts'

/** What a flag is for, which says how long it should live. */
export const flagKinds = ['release', 'experiment', 'operational', 'permanent'] as const
export const flagKind = z.enum(flagKinds)
export type FlagKind = z.output<typeof flagKind>

/** Of what the percentage counts. `revenue`: of customers, those that pay the least first. */
export const rolloutUnits = ['visitor', 'site', 'customer', 'revenue'] as const
export const rolloutUnit = z.enum(rolloutUnits)
export type RolloutUnit = z.output<typeof rolloutUnit>

/** `rollout`: on, but not for everyone. */
export const flagStages = ['new', 'rollout', 'everyone', 'off', 'archived'] as const
export type FlagStage = (typeof flagStages)[number]

const named = z.object({ id: z.string(), name: z.string() })

/** Whoever is named here, by whichever of the four. */
export const flagAudience = z.object({
  customers: z.array(named),
  sites: z.array(named),
  plans: z.array(named),
  domains: z.array(z.string()),
})
export type FlagAudience = z.output<typeof flagAudience>

/** Since the last step of a rollout, among those who see the flag; null: not watched. */
export const flagGuard = z.object({
  /** Sites that are down or degraded. */
  sites: z.int().min(1).max(1000).nullable(),
  /** Checks that were answered with a server error. */
  errors: z.int().min(1).max(1000).nullable(),
  /** Refunds to their customers. */
  refunds: z.int().min(1).max(1000).nullable(),
  /** Besides pausing the rollout. */
  switches_off: z.boolean(),
})
export type FlagGuard = z.output<typeof flagGuard>

export const rolloutStep = z.object({
  enabled: z.boolean(),
  rollout_percentage: z.int().min(0).max(100),
  /** When it is due, as far as that is known: the steps before it may wait. */
  due_at: instant.nullable(),
  done_at: instant.nullable(),
  state: z.enum(['waiting', 'due', 'done', 'cancelled', 'failed']),
  /** What it waits for. */
  note: z.string().nullable(),
})
export type RolloutStep = z.output<typeof rolloutStep>

export const flagRollout = z.object({
  id: z.string(),
  state: z.enum(['running', 'paused', 'done', 'cancelled', 'failed']),
  /** Why it is paused. */
  reason: z.string().nullable(),
  /** Each step after the first waits until no site that sees the flag has trouble. */
  needs_green: z.boolean(),
  started_by: z.string(),
  started_at: instant,
  steps: z.array(rolloutStep),
})
export type FlagRollout = z.output<typeof flagRollout>

export const featureFlag = z.object({
  id: z.string(),
  /** Sites ask for it by this name. */
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  rollout_percentage: z.int().min(0).max(100),
  rollout_by: rolloutUnit,
  /** See it whatever the percentage. */
  always: flagAudience,
  /** Do not see it, even if they are named among the others. */
  never: flagAudience,
  /** Flags that must be on too, for whoever is to see this one. */
  prerequisites: z.array(named),
  kind: flagKind,
  owner: named.nullable(),
  guard: flagGuard.nullable(),
  stage: z.enum(flagStages),
  /** Why it should be cleaned up. */
  stale: z.string().nullable(),
  last_evaluated_at: instant.nullable(),
  /** The one that runs, or else the last one. */
  rollout: flagRollout.nullable(),
  created_at: instant,
  created_by: z.string(),
  updated_at: instant,
  archived_at: instant.nullable(),
  version: count,
})
export type FeatureFlag = z.output<typeof featureFlag>

const topics = ['feature_flags'] as const
const answer = z.object({ flag: featureFlag })

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(100, 'A name has 100 characters at most')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'A name has letters, digits, dots, dashes and underscores')
const mostDescription = 1000
const ids = z.array(z.string().min(1).max(255)).max(500, '500 at most').default([])
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, 'must be a domain such as shop.example')
const audienceTerms = z.strictObject({
  customers: ids,
  sites: ids,
  plans: ids,
  domains: z.array(domain).max(500, '500 at most').default([]),
})
const none = { customers: [], sites: [], plans: [], domains: [] }
const percentage = z
  .int('must be a whole number from 0 to 100')
  .min(0, 'must be from 0 to 100')
  .max(100, 'must be from 0 to 100')

/** Everything that a change may set. */
const settings = {
  description: z.string().trim().max(mostDescription, `A description has ${mostDescription} characters at most`),
  enabled: z.boolean(),
  rollout_percentage: percentage,
  rollout_by: rolloutUnit,
  always: audienceTerms,
  never: audienceTerms,
  /** Ids of flags. */
  prerequisites: z.array(z.string().min(1).max(64)).max(10, '10 at most'),
  kind: flagKind,
  /** An administrator. */
  owner_id: z.string().min(1).max(64).nullable(),
  guard: z
    .strictObject(flagGuard.shape)
    .refine(({ sites, errors, refunds }) => sites !== null || errors !== null || refunds !== null, {
      error: 'must watch something',
    })
    .nullable(),
}

export const listFeatureFlags = endpoint({
  method: 'GET',
  path: '/features',
  permission: 'admin.system',
  summary: 'All feature flags by name, archived ones too',
  response: z.object({ flags: z.array(featureFlag) }),
  topics,
  isPersonal: true,
})

export const createFeatureFlag = endpoint({
  method: 'POST',
  path: '/features',
  permission: 'admin.system',
  summary: 'Add a feature flag; its name cannot be changed later, since sites ask by it',
  body: z.strictObject({
    name,
    description: settings.description.default(''),
    enabled: settings.enabled.default(false),
    rollout_percentage: percentage.default(100),
    rollout_by: rolloutUnit.default('visitor'),
    always: audienceTerms.default(none),
    never: audienceTerms.default(none),
    prerequisites: settings.prerequisites.default([]),
    kind: flagKind.default('release'),
    owner_id: settings.owner_id.default(null),
    guard: settings.guard.default(null),
  }),
  response: answer,
})

export const updateFeatureFlag = endpoint({
  method: 'PATCH',
  path: '/features/:id',
  permission: 'admin.system',
  summary: 'Change a feature flag; a version that is not the newest is refused, but to switch it off needs none',
  params: idParams,
  body: z.strictObject({ version: count, ...settings }).partial(),
  response: answer,
})

export const archiveFeatureFlag = endpoint({
  method: 'POST',
  path: '/features/:id/archive',
  permission: 'admin.system',
  summary: 'Nobody gets it any more, as if there were no such flag; it can be restored',
  params: idParams,
  response: answer,
})

export const restoreFeatureFlag = endpoint({
  method: 'POST',
  path: '/features/:id/restore',
  permission: 'admin.system',
  summary: 'Bring an archived flag back, switched off',
  params: idParams,
  response: answer,
})

export const flagChange = z.object({
  id: z.string(),
  at: instant,
  actor: z.string(),
  /** `created`, `updated`, `step`, `reverted`, `archived`, `restored`, `paused` and more: the verb of the audit log. */
  action: z.string(),
  /** Of the flag as it was from then on; null where nothing was set. */
  version: count.nullable(),
  /** What was set, in words. */
  lines: z.array(z.string()),
  /** The settings of then can be brought back. */
  can_revert: z.boolean(),
})
export type FlagChange = z.output<typeof flagChange>

export const listFlagHistory = endpoint({
  method: 'GET',
  path: '/features/:id/history',
  permission: 'admin.system',
  summary: 'What was changed in a flag, newest first, 200 at most',
  params: idParams,
  response: z.object({ changes: z.array(flagChange) }),
  topics,
  isPersonal: true,
})

export const revertFeatureFlag = endpoint({
  method: 'POST',
  path: '/features/:id/revert',
  permission: 'admin.system',
  summary: 'Bring back the settings of an earlier version',
  params: idParams,
  body: z.strictObject({ to: count, version: count }),
  response: answer,
})

export const flagViewer = z.object({
  id: z.string(),
  site_name: z.string(),
  domain: z.string(),
  customer_name: z.string().nullable(),
  /** `part`: some of its visitors. */
  sees: z.enum(['yes', 'part', 'no']),
  reason: z.string(),
})
export type FlagViewer = z.output<typeof flagViewer>

export const listFlagViewers = endpoint({
  method: 'GET',
  path: '/features/:id/viewers',
  permission: 'admin.system',
  summary: 'Which sites see a flag now, and why',
  params: idParams,
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(25),
    starting_after: z.string().min(1).max(255).optional(),
    search: searchText.optional(),
    sees: z.enum(['yes', 'part', 'no', 'all']).default('all'),
  }),
  response: z.object({
    viewers: z.array(flagViewer),
    has_more: z.boolean(),
    total: count,
    counts: z.object({ yes: count, part: count, no: count }),
  }),
  topics: ['feature_flags', 'sites'],
  isPersonal: true,
})

export const audienceKinds = ['customers', 'sites', 'plans', 'owners'] as const

export const findFlagAudience = endpoint({
  method: 'GET',
  path: '/features/audience',
  permission: 'admin.system',
  summary: 'Customers, sites, plans or administrators that can be named in a flag, 20 at most',
  query: z.strictObject({ kind: z.enum(audienceKinds), search: searchText.optional() }),
  response: z.object({ found: z.array(z.object({ ...named.shape, detail: z.string().nullable() })) }),
  topics: ['customers', 'sites', 'plans', 'users'],
  isPersonal: true,
})

const mostWaitMinutes = 60 * 24 * 90

export const startFlagRollout = endpoint({
  method: 'POST',
  path: '/features/:id/rollout',
  permission: 'admin.system',
  summary: 'Change the flag in steps, each after a wait; until it ends nothing else changes the percentage',
  params: idParams,
  body: z.strictObject({
    version: count,
    /** When the first step is due; null: now. */
    starts_at: instant.nullable().default(null),
    rollout_by: rolloutUnit.optional(),
    needs_green: z.boolean().default(true),
    steps: z
      .array(
        z.strictObject({
          enabled: z.boolean().default(true),
          rollout_percentage: percentage,
          /** After the step before it. */
          wait_minutes: z.int().min(0).max(mostWaitMinutes, 'A step waits 90 days at most').default(0),
        }),
      )
      .min(1, 'Add a step')
      .max(20, '20 steps at most'),
  }),
  response: answer,
})

export const pauseFlagRollout = endpoint({
  method: 'POST',
  path: '/features/:id/rollout/pause',
  permission: 'admin.system',
  summary: 'Take no further step until the rollout is resumed',
  params: idParams,
  response: answer,
})

export const resumeFlagRollout = endpoint({
  method: 'POST',
  path: '/features/:id/rollout/resume',
  permission: 'admin.system',
  summary: 'Go on with the next step; the guard counts from now on',
  params: idParams,
  response: answer,
})

export const cancelFlagRollout = endpoint({
  method: 'POST',
  path: '/features/:id/rollout/cancel',
  permission: 'admin.system',
  summary: 'Take no further step at all; the flag stays as it is now',
  params: idParams,
  response: answer,
})
