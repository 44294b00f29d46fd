import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { createOwnAddress } from '../../security/index.ts'
import { createDeploymentRunner } from '../runner/runner.ts'
import { env } from './env.ts'

/** `after`: once the call was answered and before anything is written down; `before`: when it is about to be sent. */
export type Death = { call: keyof CloudflareGateway | 'hook'; nth?: number; when: 'before' | 'after' }
type Addresses = Pick<Sandbox, 'cloudflare' | 'hosting'>
type Order = Addresses & { connectionString: string; address: string; death: Death | null; shiftMs: number }

const program = await programOf(import.meta.url)

export type Child = { ended: Promise<NodeJS.Signals | null>; kill(): Promise<void> }

/** Works on deployments in a process of its own that dies at one of its calls, or when it is killed. */
export function startDying({ cloudflare, hosting }: Addresses, order: Omit<Order, keyof Addresses>): Child {
  const whole: Order = { cloudflare, hosting, ...order }
  const child = program.start([], { stdio: ['pipe', 'inherit', 'inherit'] })
  child.stdin?.end(JSON.stringify(whole))
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null)
  return {
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const die = () => process.kill(process.pid, 'SIGKILL')

/** A gateway of which one call is the last thing that its process does. */
function deadly(gateway: CloudflareGateway, { call, nth = 1, when }: Death): CloudflareGateway {
  let left = nth
  const work = gateway[call as keyof CloudflareGateway] as (...given: unknown[]) => Promise<unknown>
  const wrapped = async (...given: unknown[]): Promise<unknown> => {
    left -= 1
    if (left === 0 && when === 'before') die()
    const answer = await work(...given)
    if (left === 0) die()
    return answer
  }
  return { ...gateway, [call]: wrapped }
}

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
  const { ctx, clock } = await createTestContext({
    env,
    database: { connectionString, drop: async () => {} },
    cloudflare: death && death.call !== 'hook' ? deadly(gateway, death) : gateway,
  })
  clock.advance(shiftMs)
  ctx.instance(createOwnAddress).url = address
  const names = new Set(hosting.hosts)
  const { httpPort, httpsPort, ca } = hosting
  if (death?.call === 'hook') dieAtHook(death.when)
  ctx.replace({ demoHosts: { hosts: () => names, address: '127.0.0.1', httpPort, httpsPort, ca } })
  createDeploymentRunner(ctx).start()
}

if (program.isRunning) {
  let text = ''
  for await (const piece of process.stdin) text += piece
  await run(JSON.parse(text) as Order)
}
