import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

const minutes = (what: string, min: number, max: number) => {
  const text = `${what} is a whole number of minutes from ${min} to ${max}`
  return z.int(text).min(min, text).max(max, text)
}

const fields = {
  is_on: z.boolean(),
  every_minutes: minutes('The interval', 1, 44_640),
  /** So much later is still in time. */
  grace_minutes: minutes('The grace', 0, 1440),
  /** What the site is while calls are missing. */
  when_missing: z.enum(['degraded', 'down']),
}

/** Calls that the site's host makes, so that their absence tells. */
export const siteHeartbeat = z.object({
  ...fields,
  /** waiting: no call yet, and not late. */
  state: z.enum(['off', 'waiting', 'received', 'missing']),
  /** An address was made; it is stored as a hash only. */
  has_address: z.boolean(),
  last_at: instant.nullable(),
  /** From then on calls are missing; null while it is off. */
  due_at: instant.nullable(),
  version: count,
})
export type SiteHeartbeat = z.output<typeof siteHeartbeat>

export const getSiteHeartbeat = endpoint({
  method: 'GET',
  path: '/sites/:id/heartbeat',
  permission: 'sites.read',
  summary: 'The calls that are expected from a site’s host',
  params: idParams,
  response: z.object({ heartbeat: siteHeartbeat }),
  topics: ['sites'],
  isPersonal: true,
})

export const updateSiteHeartbeat = endpoint({
  method: 'PATCH',
  path: '/sites/:id/heartbeat',
  permission: 'sites.write',
  summary: 'Change which calls are expected from a site’s host; what is left out stays',
  params: idParams,
  body: z.strictObject(fields).partial().extend({ version: count }),
  response: z.object({ heartbeat: siteHeartbeat }),
})

export const rotateSiteHeartbeat = endpoint({
  method: 'POST',
  path: '/sites/:id/heartbeat/address',
  permission: 'sites.write',
  summary: 'Make a new address for the calls, and switch them on; the one before ends',
  params: idParams,
  body: z.strictObject({}),
  response: z.object({
    heartbeat: siteHeartbeat,
    /** Shown this once. Without the console's own address, a path. */
    address: z.string(),
  }),
})
