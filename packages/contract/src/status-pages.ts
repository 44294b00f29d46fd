import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** The page of the agency itself, at `/status`. */
export const agencyPage = 'agency'

const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,38})[a-z0-9]$/, 'must be 3 to 40 letters, digits or hyphens')

export const statusPage = z.object({
  /** `agency`, or the id of a customer. */
  id: z.string(),
  /** What it belongs to; never on the page itself. */
  customer_name: z.string().nullable(),
  /** Below `/status/`; null for the agency's. */
  slug: z.string().nullable(),
  title: z.string(),
  is_on: z.boolean(),
  sites: z.array(
    z.object({
      site_id: z.string(),
      site_name: z.string(),
      domain: z.string(),
      is_shown: z.boolean(),
      /** null: its domain. */
      label: z.string().nullable(),
    }),
  ),
  version: count,
  updated_at: instant.nullable(),
  updated_by: z.string().nullable(),
})
export type StatusPage = z.output<typeof statusPage>

const topics = ['settings', 'sites', 'customers'] as const

export const listStatusPages = endpoint({
  method: 'GET',
  path: '/status-pages',
  permission: 'admin.system',
  summary: 'The public status pages: that of the agency, and those of customers',
  response: z.object({ pages: z.array(statusPage) }),
  topics,
})

export const getStatusPage = endpoint({
  method: 'GET',
  path: '/status-pages/:id',
  permission: 'admin.system',
  summary: 'The status page of the agency or of one customer, also before it is set up',
  params: idParams,
  response: z.object({ page: statusPage }),
  topics,
})

export const saveStatusPage = endpoint({
  method: 'PUT',
  path: '/status-pages/:id',
  permission: 'admin.system',
  summary: 'Switch a status page on or off, and choose what it shows. A version that is not the newest is refused',
  params: idParams,
  body: z.strictObject({
    version: count,
    is_on: z.boolean(),
    title: z.string().trim().min(1).max(80),
    /** Needed for a customer's page. */
    slug: slug.nullable().default(null),
    /** What is left out is not shown. */
    sites: z
      .array(
        z.strictObject({
          site_id: z.string().min(1).max(64),
          label: z.string().trim().min(1).max(80).nullable().default(null),
        }),
      )
      .max(200),
  }),
  response: z.object({ page: statusPage }),
})

export const publicUpdate = z.object({ id: z.string(), at: instant, text: z.string(), actor: z.string() })
export type PublicUpdate = z.output<typeof publicUpdate>

export const listPublicUpdates = endpoint({
  method: 'GET',
  path: '/incidents/:id/public-updates',
  permission: 'sites.read',
  summary: 'What the status pages say of an incident, newest first; without any they say nothing of it',
  params: idParams,
  response: z.object({ updates: z.array(publicUpdate) }),
  topics: ['incidents'],
})

export const addPublicUpdate = endpoint({
  method: 'POST',
  path: '/incidents/:id/public-updates',
  permission: 'sites.write',
  summary: 'Say something of an incident on the status pages that show an affected site',
  params: idParams,
  body: z.strictObject({ text: z.string().trim().min(1).max(1000) }),
  response: z.object({ update: publicUpdate }),
  idempotent: true,
})
