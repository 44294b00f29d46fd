import type { Sandbox } from '@agency/sandbox'
import { contextAt, type Dying, orderOf, startDying, stripeAt } from '../../../../../test/dying.ts'
import { programOf } from '../../../../../test/programs.ts'
import { person } from './world.ts'

type Asked = { payment: string; key: string }
type Order = Asked & { connectionString: string; stripe: Sandbox['stripe'] }

const program = await programOf(import.meta.url)

/** A console in a process of its own that starts a refund, to be killed while it does. */
export const startDyingConsole = ({ stripe }: Sandbox, connectionString: string, asked: Asked): Dying =>
  startDying(program, { connectionString, stripe, ...asked } satisfies Order)

if (program.isRunning) {
  const { connectionString, stripe, payment, key } = await orderOf<Order>()
  const console = await contextAt(connectionString, { stripe: stripeAt(stripe) })
  await person(console, 'Ada').refund(payment, {}, key)
  throw new Error('It should have been killed before')
}
