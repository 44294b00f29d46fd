import type { Sandbox } from '@agency/sandbox'
import { asSystem } from '../src/context.ts'
import { AskedClient } from '../src/db/asked-client.ts'
import { durableRuns } from '../src/features/index.ts'
import { advance } from '../src/platform/runs/advance.ts'
import type { DurableRun } from '../src/platform/runs/durable-run.ts'
import { cloudflareAt } from './cloudflare.ts'
import { contextAt, die, orderOf, startDying, stripeAt } from './dying.ts'
import { programOf } from './programs.ts'

/** In the order in which a step comes to them: written down as begun; its calls answered; its records made; these kept. */
export const moments = ['begun', 'called', 'recorded', 'kept'] as const

type Death = { position: number; moment: (typeof moments)[number] }
type Order = {
  connectionString: string
  stripe: Sandbox['stripe']
  cloudflare: Sandbox['cloudflare']
  name: string
  subject: string
  death: Death | null
  /** Of that process. */
  env?: Record<string, string>
}

const program = await programOf(import.meta.url)

/** Goes on with a run in a process of its own that dies at one moment of one step. Answers whether it died. */
export async function advanceAndDie(
  { stripe, cloudflare }: Sandbox,
  order: Omit<Order, 'stripe' | 'cloudflare'>,
): Promise<boolean> {
  return (await startDying(program, { ...order, stripe, cloudflare } satisfies Order).ended) === 'SIGKILL'
}

/** Dies when the transaction that is open now was kept, and before anything else. */
function dieOnceKept(): void {
  const { query } = AskedClient.prototype
  AskedClient.prototype.query = async function (this: AskedClient, ...args: unknown[]) {
    const answer = await Reflect.apply(query, this, args)
    if (args[0] === 'commit') die()
    return answer
  } as typeof query
}

function deadly(definition: DurableRun, death: Death | null): DurableRun {
  const reach = (moment: Death['moment'], position: number): void => {
    if (death?.moment !== moment || death.position !== position) return
    if (moment === 'kept') dieOnceKept()
    else die()
  }
  const steps = Object.entries(definition.steps).map(([name, handle]): [string, typeof handle] => [
    name,
    async (ctx, run, step, work) => {
      reach('begun', step.position)
      const outcome = await handle(ctx, run, step, work)
      reach('called', step.position)
      if (outcome.state === 'later') return outcome
      return {
        ...outcome,
        async record(tx) {
          await outcome.record?.(tx)
          reach('recorded', step.position)
          reach('kept', step.position)
        },
      }
    },
  ])
  return { ...definition, steps: Object.fromEntries(steps) }
}

if (program.isRunning) {
  const { connectionString, stripe, cloudflare, name, subject, death, env = {} } = await orderOf<Order>()
  const definition = durableRuns.find((known) => known.name === name)
  if (!definition) throw new Error(`There is no run ${name}`)
  const { ctx, close } = await contextAt(connectionString, {
    stripe: stripeAt(stripe),
    cloudflare: cloudflareAt(cloudflare),
    env,
  })
  await advance(asSystem(ctx, 'job', name), deadly(definition, death), subject)
  await close()
}
