import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../../test/context.ts'
import { programOf } from '../../../../../test/programs.ts'
import { createStripeGateway } from '../../../../integrations/stripe/client.ts'
import { person } from './world.ts'

type Order = { connectionString: string; secretKey: string; apiBase: string; payment: string; key: string }

const program = await programOf(import.meta.url)

/** A console in a process of its own that starts a refund, to be killed while it does. */
export function startDyingConsole(
  { stripe }: Sandbox,
  connectionString: string,
  { payment, key }: { payment: string; key: string },
): { kill(): Promise<void> } {
  const order: Order = { connectionString, secretKey: stripe.secretKey, apiBase: stripe.baseUrl, payment, key }
  const child: ChildProcess = program.start([JSON.stringify(order)], { stdio: 'inherit' })
  return {
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

if (program.isRunning) {
  const { connectionString, payment, key, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const console = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: createStripeGateway(stripe),
  })
  await person(console, 'Ada').refund(payment, {}, key)
  throw new Error('It should have been killed before')
}
