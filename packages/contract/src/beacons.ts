import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant } from './primitives.ts'

/** A small script of a site that tells its visits; opted in, site by site. */
export const siteBeacon = z.object({
  is_on: z.boolean(),
  /** What the site's pages take in; null without the console's own address. */
  tag: z.string().nullable(),
  /** Host names whose pages are listened to. */
  hosts: z.array(z.string()),
  /** The first call since it was switched on; days count from the one after it. */
  heard_from: instant.nullable(),
  heard_at: instant.nullable(),
  /** Of the last 30 days; null before the first call ever. */
  visits: count.nullable(),
  page_views: count.nullable(),
  goals: z.array(z.object({ goal: z.string(), hits: count })),
  version: count,
})
export type SiteBeacon = z.output<typeof siteBeacon>

export const getSiteBeacon = endpoint({
  method: 'GET',
  path: '/sites/:id/beacon',
  permission: 'sites.read',
  summary: 'Whether a site’s own visits are counted, and what was counted',
  params: idParams,
  response: z.object({ beacon: siteBeacon }),
  topics: ['sites'],
  isPersonal: true,
})

export const updateSiteBeacon = endpoint({
  method: 'PATCH',
  path: '/sites/:id/beacon',
  permission: 'sites.write',
  summary: 'Switch the counting of a site’s visits on or off; what was counted stays',
  params: idParams,
  body: z.strictObject({ is_on: z.boolean(), version: count }),
  response: z.object({ beacon: siteBeacon }),
})
