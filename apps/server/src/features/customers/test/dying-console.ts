import type { Sandbox } from '@agency/sandbox'
import { contextAt, dieAt, orderOf, startDying, stripeAt } from '../../../../test/dying.ts'
import { programOf } from '../../../../test/programs.ts'
import { asSystem } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { once as onceOnly } from '../../../platform/idempotency-keys.ts'
import { createCustomer } from '../service/create-customer.ts'
import { updateCustomer } from '../service/update-customer.ts'

type Save =
  | { create: Parameters<typeof createCustomer>[1]; key: string }
  | { update: Parameters<typeof updateCustomer>[2]; id: string; key: string }
type Asked = { save: Save; person: string }
type Order = Asked & { connectionString: string; stripe: Sandbox['stripe'] }

const program = await programOf(import.meta.url)

/** A console in a process of its own that dies of SIGKILL between the answer of the provider and writing it down. */
export const dieAfterTheAnswer = ({ stripe }: Sandbox, connectionString: string, asked: Asked) =>
  startDying(program, { connectionString, stripe, ...asked } satisfies Order).ended

/** Once it has the answer to a write, nothing of the process runs any more. */
const deadly = (inner: StripeGateway): StripeGateway => ({
  ...dieAt(inner, ['createCustomer', 'updateCustomer'], { nth: 1, when: 'after' }),
  in: (lane) => deadly(inner.in(lane)),
})

const addressOf = (save: Save) =>
  'create' in save
    ? { request: 'POST /stripe/customers', body: save.create }
    : { request: `PATCH /stripe/customers/${save.id}`, body: save.update }

if (program.isRunning) {
  const { connectionString, save, person, stripe } = await orderOf<Order>()
  const { ctx } = await contextAt(connectionString, { stripe: deadly(stripeAt(stripe)) })
  const { key } = save
  const asked = { key, caller: 'user test-admin', ...addressOf(save) }
  const actor = asSystem(ctx, 'job', person)
  await onceOnly(ctx, asked, {
    handle: (claim) =>
      'create' in save ? createCustomer(actor, save.create, claim) : updateCustomer(actor, save.id, save.update, claim),
  })
  throw new Error('It should have been killed before')
}
