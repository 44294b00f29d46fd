import type { Sandbox } from '@agency/sandbox'
import { cloudflareAt } from '../../../../test/cloudflare.ts'
import { contextAt, dieAt, type Moment, orderOf, startDying } from '../../../../test/dying.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import { advance } from '../../../platform/runs/advance.ts'
import { siteSuspension } from '../suspension/run.ts'

type Death = { nth: number; when: Moment }
type Order = { connectionString: string; address: Sandbox['cloudflare']; site: string; death: Death }

const program = await programOf(import.meta.url)

/** Goes on with a suspension in a process of its own that dies at one of its calls. Answers whether it died. */
export const advanceAndDie = async (order: Order): Promise<boolean> =>
  (await startDying(program, order).ended) === 'SIGKILL'

if (program.isRunning) {
  const { connectionString, address, site, death } = await orderOf<Order>()
  const calls = ['findProject', 'listProjectDomains', 'attachDomain', 'detachDomain'] as const
  const { ctx, close } = await contextAt(connectionString, {
    cloudflare: dieAt(cloudflareAt(address), calls, death),
  })
  await advance(asSystem(ctx, 'job', 'sites.suspension'), siteSuspension, site)
  await close()
}
