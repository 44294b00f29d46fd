import type { Sandbox } from '@agency/sandbox'
import { contextAt, type Dying, orderOf, startDying, stripeAt } from '../../../../test/dying.ts'
import { programOf } from '../../../../test/programs.ts'
import { person } from './world.ts'

type Asked = { body: unknown; key: string }
type Order = Asked & { connectionString: string; stripe: Sandbox['stripe'] }

const program = await programOf(import.meta.url)

/** A console in a process of its own that sends a new invoice, to be killed while it does. */
export const startDyingConsole = ({ stripe }: Sandbox, connectionString: string, asked: Asked): Dying =>
  startDying(program, { connectionString, stripe, ...asked } satisfies Order)

if (program.isRunning) {
  const { connectionString, stripe, body, key } = await orderOf<Order>()
  const console = await contextAt(connectionString, { stripe: stripeAt(stripe) })
  await person(console, 'Ada').create(body, key)
  throw new Error('It should have been killed before')
}
