import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../test/context.ts'
import { createStripeGateway } from '../../../integrations/stripe/client.ts'
import { person } from './world.ts'

type Order = {
  connectionString: string
  secretKey: string
  apiBase: string
  body: unknown
  key: string
}

const self = fileURLToPath(import.meta.url)

/** A console in a process of its own that sends a new invoice, to be killed while it does. */
export function startDyingConsole(
  { stripe }: Sandbox,
  connectionString: string,
  { body, key }: { body: unknown; key: string },
): { kill(): Promise<void> } {
  const order = { connectionString, secretKey: stripe.secretKey, apiBase: stripe.baseUrl, body, key }
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
  const { connectionString, body, key, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const console = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: createStripeGateway(stripe),
  })
  await person(console, 'Ada').create(body, key)
  throw new Error('It should have been killed before')
}
