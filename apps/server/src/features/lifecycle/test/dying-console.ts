import { once } from 'node:events'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import { createStripeGateway } from '../../../integrations/stripe/client.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { advance } from '../../../platform/runs/advance.ts'
import { lifecycleRun } from '../run.ts'

/** `after`: once the call was answered and before anything is written down; `before`: when it is about to be sent. */
export type Death = { call: number; when: 'before' | 'after' }
type Order = {
  connectionString: string
  secretKey: string
  apiBase: string
  customer: string
  death: Death
  shiftMs: number
}

const program = await programOf(import.meta.url)

/** Goes on with what is done to a customer in a process of its own that dies at one of its calls. Answers whether it died. */
export async function runAndDie(
  { stripe }: Sandbox,
  order: Pick<Order, 'connectionString' | 'customer' | 'death' | 'shiftMs'>,
): Promise<boolean> {
  const whole: Order = { ...order, secretKey: stripe.secretKey, apiBase: stripe.baseUrl }
  const child = program.start([JSON.stringify(whole)], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  return signal === 'SIGKILL'
}

/** A gateway of which one call, counted over all, is the last thing that its process does. */
function deadly(gateway: StripeGateway, { call, when }: Death): StripeGateway {
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
  const wrapped: StripeGateway = {
    ...gateway,
    in: () => wrapped,
    findObject: counted(gateway.findObject),
    updateSubscription: counted(gateway.updateSubscription),
    deleteCustomer: counted(gateway.deleteCustomer),
  }
  return wrapped
}

if (program.isRunning) {
  const { connectionString, customer, death, shiftMs, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const { ctx, clock, close } = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: deadly(createStripeGateway(stripe).in('job'), death),
  })
  clock.advance(shiftMs)
  await advance(asSystem(ctx, 'job', 'lifecycle.run'), lifecycleRun, customer)
  await close()
}
