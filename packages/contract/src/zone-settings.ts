import { z } from 'zod'
import { changed, recordChange } from './dns-records.ts'
import { endpoint } from './endpoint.ts'
import { idParams, instant } from './primitives.ts'

/** What can be set from here, each with its values as Cloudflare names them. */
export const zoneSettingValues = {
  paused: ['off', 'on'],
  ssl: ['off', 'flexible', 'full', 'strict'],
  always_use_https: ['off', 'on'],
  min_tls_version: ['1.0', '1.1', '1.2', '1.3'],
} as const
export type ZoneSettingName = keyof typeof zoneSettingValues
export const zoneSettingNames = Object.keys(zoneSettingValues) as ZoneSettingName[]

const zoneSetting = z.object({
  name: z.enum(zoneSettingNames),
  /** Cloudflare may have others than can be set from here; null: not known. */
  value: z.string().nullable(),
  /** Why it is not known. */
  problem: z.string().nullable(),
})
export type ZoneSetting = z.output<typeof zoneSetting>

export const listZoneSettings = endpoint({
  method: 'GET',
  path: '/cloudflare/zones/:id/settings',
  permission: 'sites.read',
  summary: 'Settings of a domain as Cloudflare has them now, and the last change made here',
  params: idParams,
  response: z.object({
    settings: z.array(zoneSetting),
    /** The first hundred by name. */
    sites: z.array(z.object({ id: z.string(), site_name: z.string() })),
    sites_total: z.int(),
    fetched_at: instant,
    last_change: recordChange.nullable(),
  }),
  topics: ['dns_records', 'sites'],
  isPersonal: true,
})

const shown = z.string().min(1).max(50)
const oneOf = <Name extends ZoneSettingName>(name: Name) => {
  const values = zoneSettingValues[name]
  const said = `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
  return z.strictObject({ name: z.literal(name), shown, value: z.enum(values as readonly string[] as [string], said) })
}

export const changeZoneSetting = endpoint({
  method: 'PATCH',
  path: '/cloudflare/zones/:id/settings',
  permission: 'sites.write',
  summary: 'Changes a setting of a domain that is still as it was shown; refused with both values when it is not',
  params: idParams,
  body: z.discriminatedUnion('name', [
    oneOf('paused'),
    oneOf('ssl'),
    oneOf('always_use_https'),
    oneOf('min_tls_version'),
  ]),
  response: changed,
  idempotent: true,
})
