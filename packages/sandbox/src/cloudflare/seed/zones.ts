import { randomFrom } from '../../world/random.ts'
import { demoSitesOf } from '../demo-sites.ts'
import type { RecordResponse, Zone, ZonePrivate } from '../types.ts'
import { hexId } from './ids.ts'
import { plans } from './plans.ts'
import { recordsOf } from './records.ts'

type Story = {
  name: string
  plan: keyof typeof plans | 'missing'
  status?: Zone['status']
  type?: Zone['type']
  isPaused?: boolean
  /** The name servers that it had before; it has Cloudflare's own when nothing is said. */
  before?: string[]
  registrar?: string
  priv?: Partial<ZonePrivate>
}

export type SeededZone = {
  id: string
  name: string
  doc: Zone
  records: RecordResponse[]
  priv: ZonePrivate
}

export type ZoneOptions = {
  seed: string
  customers: number
  zones: number
  now: number
  account: { id: string; name: string }
}

const day = 86_400_000
const elsewhere = ['ns1.old-registrar.example', 'ns2.old-registrar.example']

/** What is at Cloudflare besides the customers' sites; each is there for a reason of its own. */
const others: Story[] = [
  { name: 'harborandpine.example', plan: 'business', priv: { ssl: 'strict', dnssec: 'active' } },
  { name: 'pinewood-parking.example', plan: 'missing' },
  { name: 'empty-fields.example', plan: 'empty', registrar: '' },
  { name: 'tidepool-launch.example', plan: 'free', status: 'initializing', before: elsewhere },
  { name: 'anchor-and-oar.example', plan: 'pro', status: 'pending', before: elsewhere, priv: { dnssec: 'pending' } },
  { name: 'old-lighthouse.example', plan: 'free', status: 'moved', before: elsewhere },
  { name: 'quiet-cove.example', plan: 'pro', isPaused: true },
  { name: 'partner-cname.example', plan: 'business', type: 'partial', before: elsewhere },
  { name: 'mirror-dns.example', plan: 'enterprise', type: 'secondary', priv: { ssl: 'off', dnssec: 'error' } },
  { name: 'internal-tools.example', plan: 'enterprise', type: 'internal' },
  { name: 'borrowed-zone.example', plan: 'pro', priv: { analytics: false } },
  {
    name: 'zone"><img src=x onerror=alert(1)>.example',
    plan: 'free',
    registrar: '<script>alert("registrar")</script>',
    before: ['javascript:alert(1)', '\u202Egnp.exe\u202C.example'],
  },
]

const sitePlans = ['pro', 'free', 'business', 'free', 'pro'] as const
const siteTls = ['full', 'strict', 'flexible'] as const

function storiesOf({ customers, zones }: ZoneOptions): Story[] {
  const ofSites = demoSitesOf(customers).map(
    ({ domain }, index): Story => ({
      name: domain,
      plan: sitePlans[index % sitePlans.length]!,
      ...(index % 11 === 7 ? { isPaused: true } : {}),
      ...(index % 13 === 9 ? { before: elsewhere } : {}),
      priv: { ssl: siteTls[index % siteTls.length]!, dnssec: index % 3 === 0 ? 'active' : 'disabled' },
    }),
  )
  const named = [...ofSites, ...others]
  const more = Array.from({ length: Math.max(0, zones - named.length) }, (_, index): Story => {
    const plan = index % 4 === 0 ? 'pro' : 'free'
    return { name: `zone-${String(index + 1).padStart(4, '0')}.example`, plan, isPaused: index % 29 === 3 }
  })
  return [...named, ...more]
}

const iso = (ms: number) => new Date(ms).toISOString()
const pairs = ['ada', 'brad', 'cora', 'dean', 'elle', 'finn']

export function makeZone(story: Story, { seed, now, account }: ZoneOptions): SeededZone {
  const random = randomFrom(`${seed} zone ${story.name}`)
  const id = hexId(seed, `zone ${story.name}`)
  const created = now - random.int(40, 900) * day - random.int(0, day)
  const pair = random.int(0, pairs.length - 2)
  const nameServers = [`${pairs[pair]}.ns.cloudflare.com`, `${pairs[pair + 1]}.ns.cloudflare.com`]
  const status = story.status ?? 'active'
  const type = story.type ?? 'full'
  const doc: Zone = {
    id,
    name: story.name,
    status,
    paused: story.isPaused ?? false,
    type,
    development_mode: 0,
    name_servers: nameServers,
    original_name_servers: story.before ?? nameServers,
    original_registrar: story.registrar ?? 'harbor registrar (id: 1910)',
    original_dnshost: null,
    created_on: iso(created),
    modified_on: iso(created + Math.floor((now - created) * (0.5 + 0.5 * random.next()))),
    activated_on: status === 'active' || status === 'moved' ? iso(created + random.int(1, 48) * 3_600_000) : null,
    meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
    owner: { ...account, type: 'organization' },
    account,
    permissions: ['#dns_records:read', '#zone:read', '#zone_settings:read', '#analytics:read', '#cache_purge:edit'],
    ...(story.plan === 'missing' ? {} : { plan: plans[story.plan] }),
  }
  const priv: ZonePrivate = { ssl: 'full', dnssec: 'disabled', analytics: true, ...story.priv }
  return { id, name: story.name, doc, priv, records: recordsOf(doc, seed) }
}

export const makeZones = (options: ZoneOptions): SeededZone[] =>
  storiesOf(options).map((story) => makeZone(story, options))
