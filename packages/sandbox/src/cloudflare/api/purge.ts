import { badParameter, CloudflareError, purgeLimited } from '../http/errors.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import type { ZoneRow } from '../types.ts'
import { zoneOf } from './zones.ts'

/** Purges per second, and how many a zone may save up. */
const allowances: Record<string, { perSecond: number; bucket: number }> = {
  free: { perSecond: 5 / 60, bucket: 25 },
  pro: { perSecond: 5, bucket: 25 },
  business: { perSecond: 10, bucket: 50 },
  enterprise: { perSecond: 50, bucket: 500 },
}
const most = 100
const kinds = ['files', 'hosts', 'prefixes', 'tags'] as const

function spend({ doc, priv }: ZoneRow, now: number) {
  const { perSecond, bucket } = allowances[doc.plan?.legacy_id ?? 'free'] ?? allowances['free']!
  const before = priv.purges ?? { tokens: bucket, at: now }
  const tokens = Math.min(bucket, before.tokens + (Math.max(0, now - before.at) / 1000) * perSecond)
  if (tokens < 1) throw purgeLimited(Math.ceil((1 - tokens) / perSecond))
  return { tokens: tokens - 1, at: now }
}

function hostOf(kind: (typeof kinds)[number], value: unknown): string | null {
  const text = typeof value === 'object' && value !== null && 'url' in value ? value.url : value
  if (typeof text !== 'string' || text === '') throw badParameter(`${kind} must be a list of texts`)
  if (kind === 'tags') return null
  if (kind === 'hosts') return text
  const url = URL.parse(kind === 'files' ? text : `https://${text}`)
  if (!url) throw new CloudflareError(400, 1016, `Invalid URL in ${kind}`)
  return url.hostname
}

/** The hosts whose cached copies go; undefined: those of the whole zone. */
function check(zone: string, body: Record<string, unknown>): string[] | undefined {
  const given = kinds.filter((kind) => body[kind] !== undefined)
  const everything = body['purge_everything'] === true
  if (given.length + (everything ? 1 : 0) !== 1) {
    const message = 'Request must contain one of "purge_everything", "files", "tags", "hosts" or "prefixes"'
    throw new CloudflareError(400, 1012, message)
  }
  const kind = given[0]
  if (!kind) return undefined
  const values = body[kind]
  if (!Array.isArray(values) || values.length === 0) throw badParameter(`${kind} must be a list of texts`)
  if (values.length > most) throw new CloudflareError(400, 1094, `You may only purge up to ${most} ${kind} at a time.`)
  const hosts = values.flatMap((value) => hostOf(kind, value) ?? [])
  for (const host of hosts) {
    if (host === zone || host.endsWith(`.${zone}`)) continue
    throw new CloudflareError(400, 1132, `Unable to purge ${host}, it does not belong to the zone ${zone}`)
  }
  return kind === 'tags' ? undefined : hosts
}

async function purge(call: Call): Promise<Answer> {
  const zone = await zoneOf(call)
  const hosts = check(zone.name, call.body)
  const priv = { ...zone.priv, purges: spend(zone, call.now) }
  await call.db.query(`update ${call.schema}.cf_zones set priv = $2 where id = $1`, [zone.id, JSON.stringify(priv)])
  call.purged(hosts ?? [zone.name, `www.${zone.name}`])
  return { result: { id: zone.id } }
}

export const purgeRoutes: Route[] = [
  {
    name: 'cache.purge',
    method: 'POST',
    path: '/zones/:zone/purge_cache',
    scope: 'Cache Purge:Purge',
    body: ['purge_everything', ...kinds],
    answer: purge,
  },
]
