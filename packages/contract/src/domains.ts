import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery, searchText, sortOf } from './primitives.ts'

/** Cloudflare may leave out the plan and anything in it. */
const domainPlan = z.object({
  id: z.string().nullable(),
  name: z.string().nullable(),
  price: z.number().nullable(),
  currency: z.string().nullable(),
  frequency: z.string().nullable(),
  is_subscribed: z.boolean().nullable(),
  can_subscribe: z.boolean().nullable(),
})

/** Something that is asked of Cloudflare by itself, with its own age; `problem` says why it is not known, or not newer. */
const setting = z.object({
  value: z.string().nullable(),
  checked_at: instant.nullable(),
  problem: z.string().nullable(),
})
export type DomainSetting = z.output<typeof setting>

/**
 * Whether the domain is answered by Cloudflare's name servers: `expected`, `other` (moved away), `waiting` (not there
 * yet), `not_needed` (a set-up that does not use them).
 */
export const nameServerStates = ['expected', 'other', 'waiting', 'not_needed', 'unknown'] as const

export const domain = z.object({
  id: z.string(),
  name: z.string(),
  /** Cloudflare's word: initializing, pending, active, moved, or another; null when it says none. */
  status: z.string().nullable(),
  created_on: z.string().nullable(),
  modified_on: z.string().nullable(),
  paused: z.boolean(),
  type: z.string().nullable(),
  plan: domainPlan.nullable(),
  account: z.object({ id: z.string().nullable(), name: z.string().nullable() }).nullable(),
  name_server_state: z.enum(nameServerStates),
  /** Where its site is seen; null when that is not an address of the web. */
  url: z.string().nullable(),
  ssl: setting,
  dnssec: setting,
  /** The site that is served under this domain. */
  site: z.object({ id: z.string(), site_name: z.string(), status: z.string() }).nullable(),
  customer: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** The domain in Cloudflare's dashboard. */
  dashboard_url: z.string(),
})
export type Domain = z.output<typeof domain>

export const domainDetails = z.object({
  ...domain.shape,
  /** Those that Cloudflare wants the domain to be answered by. */
  name_servers: z.array(z.string()),
  /** Those before it was added to Cloudflare. */
  original_name_servers: z.array(z.string()),
  /** Of what the list says; the settings have ages of their own. */
  fetched_at: instant,
})
export type DomainDetails = z.output<typeof domainDetails>

/** What was asked within the window that Cloudflare counts; shared by all processes. */
const allowance = z.object({
  used: count,
  limit: count,
  /** Cloudflare said to wait until then. */
  blocked_until: instant.nullable(),
})

const problem = z.object({ message: z.string(), at: instant })

/** How old the list is, and why it is not newer. */
const cacheState = {
  fetched_at: instant,
  /** Older than it should be: the last try failed, or a refresh is under way. */
  stale: z.boolean(),
  refreshing: z.boolean(),
  problem: problem.nullable(),
}

export const listDomains = endpoint({
  method: 'GET',
  path: '/cloudflare/domains',
  permission: 'sites.read',
  summary: 'Domains held with Cloudflare, by name, with totals over all of them; from a cache that says how old it is',
  query: z.strictObject({
    ...pageQuery(100),
    /** Name, status or plan name. */
    search: searchText.optional(),
    sort: sortOf(['name', 'status', 'plan', 'type', 'created_on', 'modified_on']).optional(),
  }),
  response: z.object({
    /** Over all of them, whatever is searched for. */
    totalDomains: count,
    activeDomains: count,
    pausedDomains: count,
    domains: z.array(domain),
    has_more: z.boolean(),
    /** How many match the search. */
    total: count,
    ...cacheState,
    quota: z.object({ window_seconds: count, rest: allowance, graphql: allowance }),
    dashboard_url: z.string(),
  }),
  topics: ['domains', 'sites'],
  isPersonal: true,
})

export const refreshDomains = endpoint({
  method: 'POST',
  path: '/cloudflare/domains/refresh',
  permission: 'sites.read',
  summary: 'Reads all domains from Cloudflare now; joins a refresh that is under way',
  response: z.object(cacheState),
})

export const getDomain = endpoint({
  method: 'GET',
  path: '/cloudflare/domains/:id',
  permission: 'sites.read',
  summary: 'One domain with its name servers; SSL mode and DNSSEC are read anew when they are old',
  params: idParams,
  response: z.object({ domain: domainDetails }),
  topics: ['domains', 'sites'],
  isPersonal: true,
})

/** What Cloudflare takes at once. */
export const maxPurgeTargets = 30

export const previewPurge = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/purge',
  permission: 'sites.read',
  summary: 'What purging the cache of a domain would affect, and when it was purged last',
  params: idParams,
  response: z.object({
    domain: z.object({ id: z.string(), name: z.string(), plan_name: z.string().nullable() }),
    site: z.object({ id: z.string(), site_name: z.string() }).nullable(),
    customer: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    /** Host names of the site under this domain. */
    hosts: z.array(z.string()),
    last: z.object({ at: instant, by: z.string(), what: z.string() }).nullable(),
  }),
  topics: ['domains', 'sites'],
  isPersonal: true,
})

const hostPattern = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))+$/
const targets = <T extends z.ZodType>(item: T, what: string) =>
  z.array(item).min(1, `must name at least one ${what}`).max(maxPurgeTargets, `must name at most ${maxPurgeTargets}`)

export const purgeCache = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/purge',
  permission: 'sites.write',
  summary: 'Purges what Cloudflare keeps of a domain: everything, or these addresses or hosts',
  params: idParams,
  body: z.union([
    z.strictObject({ everything: z.literal(true) }),
    z.strictObject({
      files: targets(
        z.url({ protocol: /^https?$/, error: 'must be addresses that start with http:// or https://' }).max(2000),
        'address',
      ),
    }),
    z.strictObject({
      hosts: targets(z.string().trim().toLowerCase().regex(hostPattern, 'must be host names'), 'host'),
    }),
  ]),
  response: z.object({ success: z.literal(true), purged_at: instant }),
  idempotent: true,
})
