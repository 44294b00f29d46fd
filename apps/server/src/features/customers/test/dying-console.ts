import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Sandbox } from '@agency/sandbox'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import { createStripeGateway } from '../../../integrations/stripe/client.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { once as onceOnly } from '../../../platform/idempotency-keys.ts'
import { createCustomer } from '../service/create-customer.ts'
import { updateCustomer } from '../service/update-customer.ts'

type Save =
  | { create: Parameters<typeof createCustomer>[1]; key: string }
  | { update: Parameters<typeof updateCustomer>[2]; id: string; key: string }
type Order = { connectionString: string; secretKey: string; apiBase: string; save: Save; person: string }

const program = await programOf(import.meta.url)

/** A console in a process of its own that dies of SIGKILL between the answer of the provider and writing it down. */
export async function dieAfterTheAnswer(
  { stripe }: Sandbox,
  connectionString: string,
  asked: Pick<Order, 'save' | 'person'>,
): Promise<NodeJS.Signals | null> {
  const order: Order = { connectionString, secretKey: stripe.secretKey, apiBase: stripe.baseUrl, ...asked }
  const child: ChildProcess = program.start([JSON.stringify(order)], { stdio: 'inherit' })
  const [, signal] = await once(child, 'exit')
  return signal as NodeJS.Signals | null
}

/** Once it has the answer to a write, nothing of the process runs any more. */
function deadly(inner: StripeGateway): StripeGateway {
  const die = async <T>(answer: Promise<T>): Promise<T> => {
    await answer
    process.kill(process.pid, 'SIGKILL')
    return answer
  }
  return {
    ...inner,
    in: (lane) => deadly(inner.in(lane)),
    createCustomer: (...args) => die(inner.createCustomer(...args)),
    updateCustomer: (...args) => die(inner.updateCustomer(...args)),
  }
}

const addressOf = (save: Save) =>
  'create' in save
    ? { request: 'POST /stripe/customers', body: save.create }
    : { request: `PATCH /stripe/customers/${save.id}`, body: save.update }

if (program.isRunning) {
  const { connectionString, save, person, ...stripe } = JSON.parse(process.argv[2] ?? '') as Order
  const { ctx } = await createTestContext({
    database: { connectionString, drop: async () => {} },
    stripe: deadly(createStripeGateway(stripe)),
  })
  const { key } = save
  const asked = { key, caller: 'user test-admin', ...addressOf(save) }
  const actor = asSystem(ctx, 'job', person)
  await onceOnly(ctx, asked, {
    handle: (claim) =>
      'create' in save ? createCustomer(actor, save.create, claim) : updateCustomer(actor, save.id, save.update, claim),
  })
  throw new Error('It should have been killed before')
}
