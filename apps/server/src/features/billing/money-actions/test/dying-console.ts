import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../../test/context.ts'
import { createStripeGateway } from '../../../../integrations/stripe/client.ts'
import { person } from './world.ts'

type Order = { connectionString: string; secretKey: string; apiBase: string; payment: string; key: string }

const self = fileURLToPath(import.meta.url)

/** A console in a process of its own that starts a refund, to be killed while it does. */
export function startDyingConsole(
  { stripe }: Sandbox,
  connectionString: string,
  { payment, key }: { payment: string; key: string },
): { kill(): Promise<void> } {
  const order: Order = { connectionString, secretKey: stripe.secretKey, apiBase: stripe.baseUrl, payment, key }
  const child: ChildProcess = spawn(process.execPath, [self, JSON.stringify(order)], { stdio: 'inherit' })
  return {
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

if (process.argv[1] === self) {
  const { connectionString, payment, key, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const console = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: createStripeGateway(stripe),
  })
  await person(console, 'Ada').refund(payment, {}, key)
  throw new Error('It should have been killed before')
}
