import { z } from 'zod'
import { actorTypes } from './audit.ts'
import { count, instant } from './primitives.ts'

export const siteStatuses = ['pending', 'deploying', 'active', 'suspended', 'maintenance', 'deleted'] as const
export const siteStatus = z.enum(siteStatuses)
export type SiteStatus = z.output<typeof siteStatus>

export const healthStatuses = ['healthy', 'degraded', 'down', 'unknown'] as const
export const healthStatus = z.enum(healthStatuses)
export type HealthStatus = z.output<typeof healthStatus>

export const sslStatuses = ['pending', 'active', 'expired', 'error'] as const
export const sslStatus = z.enum(sslStatuses)
export type SslStatus = z.output<typeof sslStatus>

export const siteProviders = ['pages', 'hook'] as const
export const siteProvider = z.enum(siteProviders)
export type SiteProvider = z.output<typeof siteProvider>

/**
 * What the provider does with the site: `suspending` and `resuming` are under way, `still_served` is suspended here
 * only because its provider cannot take it offline.
 */
export const atProviderStates = ['served', 'suspending', 'offline', 'resuming', 'still_served'] as const

/** Figures that were never measured are null. */
export const site = z.object({
  id: z.string(),
  site_name: z.string(),
  /** A host name in lower case and ASCII. */
  domain: z.string(),
  subdomain: z.string().nullable(),
  customer_id: z.string().nullable(),
  customer_name: z.string().nullable(),
  status: siteStatus,
  status_reason: z.string().nullable(),
  /** Set by hand until then. */
  status_until: instant.nullable(),
  at_provider: z.enum(atProviderStates),
  health_status: healthStatus,
  health_checked_at: instant.nullable(),
  health_detail: z.string().nullable(),
  response_ms: count.nullable(),
  ssl_status: sslStatus,
  ssl_expires_at: instant.nullable(),
  ssl_issuer: z.string().nullable(),
  ssl_checked_at: instant.nullable(),
  /** 0 to 100. */
  performance_score: z.int().min(0).max(100).nullable(),
  scored_at: instant.nullable(),
  /** http or https. */
  deployment_url: z.string().nullable(),
  last_deployment: instant.nullable(),
  template_type: z.string().nullable(),
  /** In MB. */
  storage_used: z.number().nullable(),
  storage_used_at: instant.nullable(),
  /** In GB, of the last 30 days. */
  bandwidth_used: z.number().nullable(),
  bandwidth_used_at: instant.nullable(),
  provider: siteProvider.nullable(),
  /** Grows with every change by a person; a change names the one that it was made to. */
  version: count,
  created_at: instant,
  updated_at: instant,
})
export type Site = z.output<typeof site>

export const siteSummary = z.object({
  total: count,
  active: count,
  healthy: count,
  /** Sites whose certificate is not active. */
  ssl_issues: count,
})
export type SiteSummary = z.output<typeof siteSummary>

export const statusChange = z.object({
  id: z.string(),
  at: instant,
  from_status: siteStatus.nullable(),
  to_status: siteStatus,
  cause: z.enum(['created', 'imported', 'by_hand', 'expired', 'deployment', 'suspension', 'resumption', 'deletion']),
  reason: z.string().nullable(),
  until: instant.nullable(),
  /** As in the audit log; null where it is not known of a change from long ago. */
  actor_type: z.enum(actorTypes).nullable(),
  actor_name: z.string(),
})
export type SiteStatusChange = z.output<typeof statusChange>

export const siteSuspension = z.object({
  state: z.enum(['suspending', 'suspended', 'resuming']),
  reason: z.string(),
  by: z.string(),
  at: instant,
  /** The suspension of this customer brought it. */
  customer_id: z.string().nullable(),
  /** The host names that it took, or is taking, from the provider. */
  domains: z.array(z.string()),
  /** What it has come to, or why it does not get further. */
  note: z.string().nullable(),
  tries: count,
  next_try_at: instant.nullable(),
})
export type SiteSuspension = z.output<typeof siteSuspension>

export const siteSettings = z.object({
  version: count,
  provider: siteProvider.nullable(),
  pages: z.object({ project: z.string(), branch: z.string().nullable() }).nullable(),
  /** Address and secret are never told, only where the address leads. */
  hook: z.object({ host: z.string().nullable(), callback: z.boolean(), has_secret: z.boolean() }).nullable(),
  /** What is asked of the site to see whether it is well. */
  health_path: z.string(),
})
export type SiteSettings = z.output<typeof siteSettings>

/** What a person may set; the rest is brought about by what happens. */
export const handStatus = z.enum(['pending', 'active', 'maintenance'])
const whyNot = z.string().nullable()

export const siteDetails = z.object({
  ...site.shape,
  owner: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  settings: siteSettings,
  suspension: siteSuspension.nullable(),
  /** The newest, newest first. */
  status_changes: z.array(statusChange),
  /** What it may be set to by hand now. */
  next_statuses: z.array(handStatus),
  /** Why each cannot be done now, whoever asks; null where it can. */
  can: z.object({ suspend: whyNot, resume: whyNot, delete: whyNot, deploy: whyNot }),
})
export type SiteDetails = z.output<typeof siteDetails>

export const siteReach = z.object({
  site: z.object({ id: z.string(), site_name: z.string(), domain: z.string() }),
  /** What happens, a sentence each. */
  effects: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Why it cannot be done now. */
  blocked: z.string().nullable(),
})
export type SiteReach = z.output<typeof siteReach>

const names = z.array(z.string())

export const environmentVersion = z.object({
  version: count,
  created_at: instant,
  author: z.string(),
  /** Against the version before it. */
  added: names,
  removed: names,
  changed: names,
  rolled_back_to: count.nullable(),
})
export type EnvironmentVersion = z.output<typeof environmentVersion>

export const environment = z.object({
  /** 0: nothing was saved yet. */
  version: count,
  saved_at: instant.nullable(),
  author: z.string().nullable(),
  /** The values are never told. */
  variables: z.array(z.object({ name: z.string(), changed_at: instant })),
})
export type SiteEnvironment = z.output<typeof environment>

export const pagesProject = z.object({
  name: z.string(),
  domains: names,
  production_branch: z.string().nullable(),
  /** The site that uses it already. */
  site: z.object({ id: z.string(), site_name: z.string() }).nullable(),
})
export type PagesProject = z.output<typeof pagesProject>

export const importRow = z.object({
  /** The place in the list that was sent. */
  position: count,
  site_name: z.string().nullable(),
  domain: z.string().nullable(),
  outcome: z.enum(['create', 'skip']),
  /** Why it is left out. */
  reason: z.string().nullable(),
  /** What was taken over differently. */
  notes: z.array(z.string()),
})
export type ImportRow = z.output<typeof importRow>

export const importAnswer = z.object({ created: count, skipped: count, rows: z.array(importRow) })
