import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery, searchText, sortOf } from './primitives.ts'
import {
  environment,
  environmentVersion,
  handStatus,
  healthStatuses,
  importAnswer,
  pagesProject,
  site,
  siteDetails,
  siteProvider,
  siteReach,
  siteSettings,
  siteSummary,
  sslStatuses,
} from './site.ts'
import { line, optionalLine } from './site-lines.ts'

const filters = {
  /** Deleted ones are hidden. */
  status: z.enum(['all', 'active', 'pending', 'deploying', 'suspended', 'maintenance']).optional(),
  health: z.enum(['all', ...healthStatuses]).optional(),
  /** `issues`: everything but an active certificate. */
  ssl: z.enum(['all', 'issues', ...sslStatuses]).optional(),
  customer_id: z.string().min(1).max(255).optional(),
  /** Site name, domain or customer name. */
  search: searchText.optional(),
  sort: sortOf([
    'created_at',
    'site_name',
    'customer_name',
    'performance_score',
    'storage_used',
    'last_deployment',
  ]).optional(),
}

export const listSites = endpoint({
  method: 'GET',
  path: '/sites',
  permission: 'sites.read',
  summary: 'Sites, newest first, with their total number',
  query: z.strictObject({ ...pageQuery(25), ...filters }),
  response: z.object({
    sites: z.array(site),
    has_more: z.boolean(),
    /** How many match; null where that is not counted. */
    total: count.nullable(),
    summary: siteSummary,
  }),
  topics: ['sites'],
})

export const siteFilters = z.strictObject(filters)

export const listSiteOwners = endpoint({
  method: 'GET',
  path: '/sites/owners',
  permission: 'sites.write',
  summary: 'Customers that a site may belong to, by name or email',
  query: z.strictObject({ search: searchText.default(''), limit: pageQuery(20).limit }),
  response: z.object({
    owners: z.array(z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })),
    has_more: z.boolean(),
  }),
  topics: ['customers'],
})
export type SiteOwner = z.output<typeof listSiteOwners.response>['owners'][number]

export const getSite = endpoint({
  method: 'GET',
  path: '/sites/:id',
  permission: 'sites.read',
  summary: 'One site with its owner, provider settings without secrets and the newest changes of its status',
  params: idParams,
  response: z.object({ site: siteDetails }),
  topics: ['sites', 'customers'],
})

export const requiredFieldsText = 'Please fill in required fields'

const writable = {
  site_name: line('A site name', 120).min(1, requiredFieldsText),
  /** A host name; letters outside ASCII are written as punycode. */
  domain: line('A domain', 253).min(1, requiredFieldsText),
  subdomain: optionalLine('A subdomain', 253),
  customer_id: z.string().min(1).max(255).nullable(),
  /** http or https without a user name; empty is https:// and the domain. */
  deployment_url: optionalLine('A deployment URL', 2000),
  template_type: optionalLine('A template', 60),
}

export const createSite = endpoint({
  method: 'POST',
  path: '/sites',
  permission: 'sites.write',
  summary: 'Add a site',
  body: z.strictObject({
    ...writable,
    subdomain: writable.subdomain.default(null),
    customer_id: writable.customer_id.default(null),
    deployment_url: writable.deployment_url.default(null),
    template_type: writable.template_type.default(null),
  }),
  response: z.object({ site: siteDetails }),
  idempotent: true,
})

const version = z.int().min(1)

export const updateSite = endpoint({
  method: 'PATCH',
  path: '/sites/:id',
  permission: 'sites.write',
  summary: 'Change a site; fields that are left out stay as they are',
  params: idParams,
  body: z.strictObject({ version, ...z.object(writable).partial().shape }),
  response: z.object({ site: siteDetails }),
})

export const previewSiteDeletion = endpoint({
  method: 'GET',
  path: '/sites/:id/delete',
  permission: 'sites.write',
  summary: 'What deleting a site would affect',
  params: idParams,
  response: z.object({ preview: siteReach }),
  topics: ['sites'],
  isPersonal: true,
})

export const deleteSite = endpoint({
  method: 'DELETE',
  path: '/sites/:id',
  permission: 'sites.write',
  summary: 'Delete a site from the console; the host keeps its files',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

const reason = line('A reason', 500).min(1, 'Enter a reason')

export const setSiteStatus = endpoint({
  method: 'POST',
  path: '/sites/:id/status',
  permission: 'sites.write',
  summary: 'Set the status by hand, for good or until a moment',
  params: idParams,
  body: z.strictObject({
    status: handStatus,
    reason,
    until: instant.nullable().default(null),
  }),
  response: z.object({ site: siteDetails }),
})

export const previewSiteSuspension = endpoint({
  method: 'GET',
  path: '/sites/:id/suspend',
  permission: 'sites.write',
  summary: 'What suspending a site, or resuming one that is suspended, would do at its provider',
  params: idParams,
  response: z.object({ preview: siteReach }),
  topics: ['sites'],
  isPersonal: true,
})

export const suspendSite = endpoint({
  method: 'POST',
  path: '/sites/:id/suspend',
  permission: 'sites.write',
  summary: 'Suspend a site, and take it offline where its provider can',
  params: idParams,
  body: z.strictObject({ reason }),
  response: z.object({ site: siteDetails }),
  idempotent: true,
})

export const resumeSite = endpoint({
  method: 'POST',
  path: '/sites/:id/resume',
  permission: 'sites.write',
  summary: 'Lift a suspension, and give the site back what was taken from it',
  params: idParams,
  response: z.object({ site: siteDetails }),
  idempotent: true,
})

export const maxVariables = 100

export const getSiteEnvironment = endpoint({
  method: 'GET',
  path: '/sites/:id/environment',
  permission: 'sites.read',
  summary: 'The names of a site’s environment variables',
  params: idParams,
  response: z.object({ environment }),
  topics: ['sites'],
})

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'A name has letters, digits and underscores, and begins with no digit')

const variableValue = z
  .string()
  .max(5000, 'A value has 5,000 characters at most')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'A value is text')

export const saveSiteEnvironment = endpoint({
  method: 'PUT',
  path: '/sites/:id/environment',
  permission: 'sites.write',
  summary: 'Change variables of the environment, which makes a new version',
  params: idParams,
  body: z.strictObject({
    /** The version that it was made of. */
    version: count,
    /** New ones, and those that get another value; all others keep theirs. */
    set: z.record(variableName, variableValue).default({}),
    remove: z.array(variableName).default([]),
  }),
  response: z.object({ environment }),
})

export const listEnvironmentVersions = endpoint({
  method: 'GET',
  path: '/sites/:id/environment/versions',
  permission: 'sites.read',
  summary: 'The saves of an environment, newest first',
  params: idParams,
  query: z.strictObject({ limit: pageQuery(25).limit, before: z.coerce.number().int().min(1).optional() }),
  response: z.object({ versions: z.array(environmentVersion), has_more: z.boolean() }),
  topics: ['sites'],
})

export const compareEnvironments = endpoint({
  method: 'GET',
  path: '/sites/:id/environment/difference',
  permission: 'sites.read',
  summary: 'What differs between two versions, by names',
  params: idParams,
  query: z.strictObject({ from: z.coerce.number().int().min(0), to: z.coerce.number().int().min(0) }),
  response: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
  topics: ['sites'],
})

export const rollBackEnvironment = endpoint({
  method: 'POST',
  path: '/sites/:id/environment/rollback',
  permission: 'sites.write',
  summary: 'Save what an older version held as a new one',
  params: idParams,
  body: z.strictObject({ version: count, to: z.int().min(1) }),
  response: z.object({ environment }),
})

export const getSiteSettings = endpoint({
  method: 'GET',
  path: '/sites/:id/settings',
  permission: 'sites.read',
  summary: 'How a site is deployed and checked, without secrets',
  params: idParams,
  response: z.object({ settings: siteSettings }),
  topics: ['sites'],
})

export const updateSiteSettings = endpoint({
  method: 'PATCH',
  path: '/sites/:id/settings',
  permission: 'sites.write',
  summary: 'Change how a site is deployed and checked; what is left out stays',
  params: idParams,
  body: z.strictObject({
    version: z.int().min(1),
    provider: siteProvider.nullable().optional(),
    pages: z
      .strictObject({
        project: z
          .string()
          .trim()
          .regex(/^[a-z0-9]([a-z0-9-]{0,56}[a-z0-9])?$/, 'A project has letters in lower case, digits and hyphens'),
        branch: optionalLine('A branch', 250).default(null),
      })
      .optional(),
    hook: z
      .strictObject({
        url: z.string().trim().min(1).max(2000).optional(),
        /** null removes it. */
        secret: z.string().min(16, 'A secret has 16 characters at least').max(256).nullable().optional(),
        callback: z.boolean().optional(),
      })
      .optional(),
    health_path: line('A path', 500)
      .regex(/^\/[^\s#\\]*$/, 'A path begins with / and has no spaces')
      .optional(),
  }),
  response: z.object({ settings: siteSettings }),
})

export const listPagesProjects = endpoint({
  method: 'GET',
  path: '/sites/projects',
  permission: 'sites.write',
  summary: 'The Pages projects of the connected Cloudflare account',
  response: z.object({ projects: z.array(pagesProject) }),
  topics: ['sites'],
})

export const maxImported = 2000

const imported = z.strictObject({
  /** As it lay in the browser's local storage; each row is checked by itself. */
  sites: z.array(z.unknown()).max(maxImported, `At most ${maxImported.toLocaleString('en-US')} sites at once`),
})

export const previewSiteImport = endpoint({
  method: 'POST',
  path: '/sites/import/preview',
  permission: 'sites.write',
  summary: 'What an import of an older console’s sites would do',
  body: imported,
  response: importAnswer,
})

export const importSites = endpoint({
  method: 'POST',
  path: '/sites/import',
  permission: 'sites.write',
  summary: 'Import the sites that an older console kept in a browser',
  body: imported,
  response: importAnswer,
  idempotent: true,
})
