import { once } from 'node:events'
import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import type { CloudflareGateway } from '../../../integrations/cloudflare/gateway.ts'
import { advance } from '../../../platform/runs/advance.ts'
import { siteSuspension } from '../suspension/run.ts'

/** `after`: once the call was answered and before anything is written down; `before`: when it is about to be sent. */
type Death = { call: number; when: 'before' | 'after' }
type Order = { connectionString: string; address: Sandbox['cloudflare']; site: string; death: Death }

const program = await programOf(import.meta.url)

/** Goes on with a suspension in a process of its own that dies at one of its calls. Answers whether it died. */
export async function advanceAndDie(order: Order): Promise<boolean> {
  const child = program.start([JSON.stringify(order)], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}

/** A gateway of which one call, counted over all, is the last thing that its process does. */
function deadly(gateway: CloudflareGateway, { call, when }: Death): CloudflareGateway {
  let calls = 0
  const counted = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      const isLast = ++calls === call
      if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL')
      const answer = await work(...args)
      if (isLast) process.kill(process.pid, 'SIGKILL')
      return answer
    }
  }
  return {
    ...gateway,
    findProject: counted(gateway.findProject),
    listProjectDomains: counted(gateway.listProjectDomains),
    attachDomain: counted(gateway.attachDomain),
    detachDomain: counted(gateway.detachDomain),
  }
}

if (program.isRunning) {
  const { connectionString, address, site, death } = JSON.parse(process.argv[2] ?? '') as Order
  const { ctx, close } = await createTestContext({
    database: { connectionString, drop: async () => {} },
    cloudflare: deadly(cloudflareAt(address), death),
  })
  await advance(asSystem(ctx, 'job', 'sites.suspension'), siteSuspension, site)
  await close()
}
