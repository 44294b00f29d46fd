import {
  type Answered,
  type Asked,
  cloudflareAt,
  enveloped,
  refused,
  startCloudflareStandIn,
} from '../../../../test/cloudflare.ts'
import { createTestContext, type TestContext } from '../../../../test/context.ts'
import { mostCalls } from '../../../integrations/cloudflare/allowance.ts'
import { connectionName } from '../../../integrations/cloudflare/client.ts'
import { createAllowance } from '../../../platform/allowance.ts'

export type TestZone = { id: string; name: string } & Record<string, unknown>

export const zoneOf = (id: string, more: Record<string, unknown> = {}): TestZone => ({
  id,
  name: `${id}.example`,
  status: 'active',
  paused: false,
  type: 'full',
  created_on: '2024-03-01T09:00:00Z',
  modified_on: '2026-10-01T09:00:00Z',
  name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  original_name_servers: ['ns1.registrar.example'],
  account: { id: 'acc', name: 'Agency' },
  plan: {
    id: 'free',
    name: 'Free Website',
    price: 0,
    currency: 'USD',
    frequency: '',
    is_subscribed: true,
    can_subscribe: false,
  },
  ...more,
})

/** A Cloudflare of a few zones; `fault` answers instead of it while it is set. */
export async function startWorld(zones: TestZone[], options: { timeoutMs?: number } = {}) {
  const world = {
    zones,
    fault: undefined as ((asked: Asked) => Answered | undefined | Promise<Answered>) | undefined,
  }
  const standIn = await startCloudflareStandIn(
    async (asked) => (await world.fault?.(asked)) ?? answer(world.zones, asked),
  )
  const address = { apiToken: 'token', baseUrl: standIn.baseUrl, accountId: 'acc' }
  const connection = connectionName({ apiToken: 'token', apiBase: standIn.baseUrl })
  /** A console of it; a second one shares the database of the first. */
  const open = async (first?: TestContext): Promise<TestContext> => {
    const t = await createTestContext(first ? { database: first.database, clock: first.clock } : {})
    t.ctx.replace({
      cloudflare: cloudflareAt(address, { allowance: createAllowance(t.ctx, connection, mostCalls), ...options }),
    })
    return t
  }
  return { world, asked: standIn.asked, connection, open, stop: standIn.stop }
}

function answer(zones: TestZone[], { path, method, query }: Asked): Answered | undefined {
  if (path === '/zones') {
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)]
    const rows = [...zones].sort((a, b) => (a.name < b.name ? -1 : 1)).slice((page - 1) * size, page * size)
    return enveloped(rows, {
      page,
      per_page: size,
      total_count: zones.length,
      total_pages: Math.ceil(zones.length / size),
    })
  }
  const [, , id = '', ...rest] = path.split('/')
  if (!zones.some((zone) => zone.id === id)) return refused(404, 7003, 'Could not route to it')
  const what = rest.join('/')
  if (what === 'settings/ssl') return enveloped({ id: 'ssl', value: 'strict' })
  if (what === 'dnssec') return enveloped({ status: 'active' })
  if (what === 'dns_records') return enveloped([record], { total_count: 1 })
  return what === 'purge_cache' && method === 'POST' ? enveloped({ id }) : undefined
}

const record = {
  id: 'r1',
  type: 'TXT',
  name: 'shop.example',
  content: '"<script>alert(1)</script>"',
  ttl: 1,
  proxied: false,
}
