import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runJob, type TestContext } from '../../../../test/context.ts'
import type { DemoHosts } from '../../../platform/probe/demo-hosts.ts'
import type { Doors } from '../../../platform/probe/target.ts'
import { createSiteWatch } from '../../index.ts'

export type Host = {
  /** What every site answers from now on. */
  answer(listener: RequestListener): void
  /** The hosts that were asked, in their order. */
  asked: string[]
  /** Lets a console reach the host, and this alone. */
  openTo(test: TestContext): void
  close(): void
}

const ok: RequestListener = (_, response) => response.end('hello')

/** A web host on this machine for every `*.example`, without TLS. */
export async function openHost(): Promise<Host> {
  let listener = ok
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.headers.host))
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const names = { has: (name: string) => name.endsWith('.example') } as ReadonlySet<string>
  const demoHosts: DemoHosts = { hosts: () => names, address: '127.0.0.1', httpPort: port, httpsPort: 1, ca: '' }
  return {
    asked,
    answer: (next) => {
      listener = next
    },
    openTo: ({ ctx }) => ctx.replace({ demoHosts }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** What names lead to that no host of the test has. */
export function resolveWith({ ctx }: TestContext, resolve: NonNullable<Doors['resolve']>): void {
  Object.assign(ctx, { resolve })
}

export type NewSite = {
  id?: string
  domain?: string
  status?: string
  at_provider?: string
  deployment_url?: string | null
}

/** A site of the test's own that is served without TLS. */
export async function addSite({ ctx }: TestContext, site: NewSite = {}): Promise<string> {
  const name = randomUUID().replaceAll('-', '').slice(0, 16)
  const id = site.id ?? `site_${name}`
  const domain = site.domain ?? `shop-${name}.example`
  const url = site.deployment_url === undefined ? `http://${domain}` : site.deployment_url
  await ctx.pool.query(
    `insert into sites (id, site_name, domain, status, at_provider, deployment_url, created_at, updated_at)
     values ($1, $2, $2, $3, $4, $5, $6, $6)`,
    [id, domain, site.status ?? 'active', site.at_provider ?? 'served', url, new Date(ctx.clock() - 30 * 86_400_000)],
  )
  return id
}

export async function siteOf({ ctx }: TestContext, id: string): Promise<Record<string, unknown>> {
  const { rows } = await ctx.pool.query('select * from sites where id = $1', [id])
  return rows[0] as Record<string, unknown>
}

/** Looks at every site that is due, as the watch does all the time and the sweep each minute. */
export async function lookAtDue({ ctx }: TestContext): Promise<void> {
  await runJob(ctx, 'probes.sweep')
  await ctx.instance(createSiteWatch).pass()
}
