import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { contextAt, type Dying, die, dieAt, type Moment, orderOf, startDying as start } from '../../../../test/dying.ts'
import { programOf } from '../../../../test/programs.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { createOwnAddress } from '../../security/index.ts'
import { createDeploymentRunner } from '../runner/runner.ts'
import { env } from './env.ts'

export type Death = { call: keyof CloudflareGateway | 'hook'; nth?: number; when: Moment }
type Addresses = Pick<Sandbox, 'cloudflare' | 'hosting'>
type Order = Addresses & { connectionString: string; address: string; death: Death | null; shiftMs: number }

const program = await programOf(import.meta.url)

/** Works on deployments in a process of its own that dies at one of its calls, or when it is killed. */
export const startDying = ({ cloudflare, hosting }: Addresses, order: Omit<Order, keyof Addresses>): Dying =>
  start(program, { cloudflare, hosting, ...order } satisfies Order)

/** Hooks are called by no gateway: Node tells of the request itself. */
function dieAtHook(when: Death['when']): void {
  const moment = when === 'before' ? 'http.client.request.created' : 'http.client.response.finish'
  subscribe(moment, (told) => {
    const { method, path } = (told as { request: ClientRequest }).request
    if (method === 'POST' && path.startsWith('/hooks/')) die()
  })
}

async function run({ cloudflare, hosting, connectionString, address, death, shiftMs }: Order): Promise<void> {
  const gateway = cloudflareAt(cloudflare)
  const { ctx, clock } = await contextAt(connectionString, {
    env,
    cloudflare: death && death.call !== 'hook' ? dieAt(gateway, [death.call], { nth: 1, ...death }) : gateway,
  })
  clock.advance(shiftMs)
  ctx.instance(createOwnAddress).url = address
  const names = new Set(hosting.hosts)
  const { httpPort, httpsPort, ca } = hosting
  if (death?.call === 'hook') dieAtHook(death.when)
  ctx.replace({ demoHosts: { hosts: () => names, address: '127.0.0.1', httpPort, httpsPort, ca } })
  createDeploymentRunner(ctx).start()
}

if (program.isRunning) await run(await orderOf<Order>())
