import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idParams, instant } from './primitives.ts'

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const domainRule = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+${label}$`)
const domainText = 'must be a domain such as harbour.example'

/** A domain as somebody types it: with capitals, a dot at the end or letters beyond ASCII. */
export const domainName = z
  .string()
  .trim()
  .max(255, domainText)
  // An address or a path is not taken for the domain in it.
  .transform((typed) =>
    /^[^\s/:?#@\\]+$/.test(typed) ? (URL.parse(`http://${typed.replace(/\.$/, '')}`)?.hostname ?? typed) : typed,
  )
  .pipe(z.string().regex(domainRule, domainText))

const added = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string().nullable(),
  /** Those that the registrar must be told. */
  name_servers: z.array(z.string()),
})
export type AddedZone = z.output<typeof added>

export const addZone = endpoint({
  method: 'POST',
  path: '/cloudflare/zones',
  permission: 'sites.write',
  summary: 'Adds a domain to Cloudflare, which then waits until the registrar names its name servers',
  body: z.strictObject({ name: domainName }),
  response: z.object({ zone: added }),
  idempotent: true,
})

export const checkZone = endpoint({
  method: 'POST',
  path: '/cloudflare/zones/:id/check',
  permission: 'sites.write',
  summary: 'Asks Cloudflare to look for the name servers of a domain that waits for them, and reads the domain again',
  params: idParams,
  response: z.object({
    zone: added,
    checked_at: instant,
    /** Why Cloudflare did not look again; null when it does. */
    refusal: z.string().nullable(),
  }),
})
