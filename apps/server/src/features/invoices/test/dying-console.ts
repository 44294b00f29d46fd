import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import { createStripeGateway } from '../../../integrations/stripe/client.ts'
import { person } from './world.ts'

type Order = {
  connectionString: string
  secretKey: string
  apiBase: string
  body: unknown
  key: string
}

const program = await programOf(import.meta.url)

/** A console in a process of its own that sends a new invoice, to be killed while it does. */
export function startDyingConsole(
  { stripe }: Sandbox,
  connectionString: string,
  { body, key }: { body: unknown; key: string },
): { kill(): Promise<void> } {
  const order = { connectionString, secretKey: stripe.secretKey, apiBase: stripe.baseUrl, body, key }
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
  const { connectionString, body, key, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const console = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: createStripeGateway(stripe),
  })
  await person(console, 'Ada').create(body, key)
  throw new Error('It should have been killed before')
}
