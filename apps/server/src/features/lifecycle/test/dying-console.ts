import type { Sandbox } from '@agency/sandbox'
import { contextAt, dieAt, type Moment, orderOf, startDying, stripeAt } from '../../../../test/dying.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { advance } from '../../../platform/runs/advance.ts'
import { lifecycleRun } from '../run.ts'

export type Death = { nth: number; when: Moment }
type Asked = { connectionString: string; customer: string; death: Death; shiftMs: number }
type Order = Asked & { stripe: Sandbox['stripe'] }

const program = await programOf(import.meta.url)

/** Goes on with what is done to a customer in a process of its own that dies at one of its calls. Answers whether it died. */
export const runAndDie = async ({ stripe }: Sandbox, asked: Asked): Promise<boolean> =>
  (await startDying(program, { ...asked, stripe } satisfies Order).ended) === 'SIGKILL'

/** The calls are counted over all lanes. */
function deadly(gateway: StripeGateway, death: Death): StripeGateway {
  const calls = ['findObject', 'updateSubscription', 'deleteCustomer'] as const
  const wrapped: StripeGateway = { ...dieAt(gateway, calls, death), in: () => wrapped }
  return wrapped
}

if (program.isRunning) {
  const { connectionString, customer, death, shiftMs, stripe } = await orderOf<Order>()
  const { ctx, clock, close } = await contextAt(connectionString, {
    stripe: deadly(stripeAt(stripe).in('job'), death),
  })
  clock.advance(shiftMs)
  await advance(asSystem(ctx, 'job', 'lifecycle.run'), lifecycleRun, customer)
  await close()
}
