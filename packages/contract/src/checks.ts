import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'
import { siteCertificate } from './probes.ts'
import { line, optionalLine } from './site-lines.ts'

const whole = (what: string, min: number, max: number) => {
  const text = `${what} is a whole number from ${min} to ${max}`
  return z.int(text).min(min, text).max(max, text)
}

/** Statuses and ranges of them, such as `200-299, 301`. */
const statusesPattern = /^[1-5]\d\d(-[1-5]\d\d)?(, ?[1-5]\d\d(-[1-5]\d\d)?)*$/
/** Names and positions only, such as `$.data.items[0].name`. */
const jsonPathPattern = /^\$(\.[A-Za-z_][A-Za-z0-9_-]*|\[\d{1,4}\])*$/

const keyword = z.strictObject({
  text: line('A keyword', 200).min(1, 'Enter the keyword'),
  mode: z.enum(['contains', 'lacks']),
})

const json = z.strictObject({
  query: line('A JSON path', 200).regex(jsonPathPattern, 'A JSON path looks like $.status or $.items[0].name'),
  /** Texts as they are, everything else as JSON: `ok`, `3`, `true`, `null`. */
  value: line('A value', 200),
})

const header = z.strictObject({
  name: line('A header name', 100).regex(/^[A-Za-z0-9-]+$/, 'A header name has letters, digits and hyphens'),
  contains: line('A header value', 200),
})

const redirect = z.discriminatedUnion('mode', [
  /** Up to five. */
  z.strictObject({ mode: z.literal('follow') }),
  z.strictObject({ mode: z.literal('none') }),
  z.strictObject({
    mode: z.literal('expect'),
    to: line('An address', 500).regex(/^https?:\/\/[^\s]+$/, 'Enter an address with http:// or https://'),
  }),
])

const fields = {
  /** A path, or an address on the site's own host. null: the health-check path of the site's configuration. */
  path: optionalLine('A path', 500),
  method: z.enum(['GET', 'HEAD']),
  interval_seconds: whole('The interval', 30, 3600),
  timeout_seconds: whole('The time-out', 1, 30),
  /** Further tries of the same check before it counts as failed. */
  retries: whole('Retries', 0, 3),
  /** Down after so many failed checks of the last `of`. */
  failures: whole('The number of failed checks', 1, 5),
  of: whole('The number of checks', 1, 5),
  /** null: any but 404, 410 and those from 500 on; other refusals are degraded. */
  statuses: line('Expected statuses', 100).regex(statusesPattern, 'Enter statuses such as 200-299, 301').nullable(),
  keyword: keyword.nullable(),
  json: json.nullable(),
  header: header.nullable(),
  redirect,
  /** An address or a name (CNAME) that the site's host name has to lead to. */
  dns: line('An address', 253)
    .regex(/^[A-Za-z0-9.:_-]+$/, 'Enter an address such as 192.0.2.1, or a host name')
    .nullable(),
  /** Degraded when the certificate ends in fewer days; 0: never for that. */
  certificate_days: whole('The number of days', 0, 90),
}

/** How a site is checked. */
export const siteChecks = z.object({
  ...fields,
  /** 0: as usual, never changed. */
  version: count,
  /** What is asked in the end. */
  url: z.string(),
  changed_at: instant.nullable(),
})
export type SiteChecks = z.output<typeof siteChecks>

const settings = z.strictObject(fields)
export type CheckSettings = z.output<typeof settings>

export const checkTrial = z.object({
  /** What the site would be if this went on. */
  health: z.enum(['healthy', 'degraded', 'down', 'unknown']),
  detail: z.string(),
  url: z.string(),
  redirects: count,
  status_code: z.int().nullable(),
  total_ms: z.number().nullable(),
  /** How often it was asked, retries included. */
  tries: count,
  certificate: siteCertificate.nullable(),
})
export type CheckTrial = z.output<typeof checkTrial>

export const getSiteChecks = endpoint({
  method: 'GET',
  path: '/sites/:id/checks',
  permission: 'sites.read',
  summary: 'How a site is checked',
  params: idParams,
  response: z.object({ checks: siteChecks }),
  topics: ['sites'],
})

export const updateSiteChecks = endpoint({
  method: 'PATCH',
  path: '/sites/:id/checks',
  permission: 'sites.write',
  summary: 'Change how a site is checked; what is left out stays',
  params: idParams,
  body: settings.partial().extend({ version: count }),
  response: z.object({ checks: siteChecks }),
})

export const trySiteChecks = endpoint({
  method: 'POST',
  path: '/sites/:id/checks/try',
  permission: 'sites.write',
  summary: 'Check a site once with other settings, and keep nothing of it',
  params: idParams,
  body: settings.partial(),
  response: z.object({ trial: checkTrial }),
})
