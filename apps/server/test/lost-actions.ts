import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { asSystem } from '../src/context.ts'
import { actionRequest, beginAction, perform } from '../src/features/billing/index.ts'
import { makeCustomer, type World } from '../src/features/lifecycle/test/world.ts'
import { applyObject } from '../src/features/mirror/index.ts'
import { sendCredit } from '../src/features/sla-credits/action/send.ts'
import type { ObjectKind } from '../src/integrations/stripe/gateway.ts'
import { makeCode, makeCoupon, makeLink, makePrice, newOrder } from './new-orders.ts'
import { saveCard } from './provider-world.ts'

type Call = { method?: 'PATCH' | 'DELETE'; path: string; body?: object }

/** A kind of money action. */
export type LostAction = {
  kind: string
  /** Makes what it is about, and answers how it is asked for. */
  prepare(world: World): Promise<Call>
  /** What is asked of the provider, in order, reads and repeats left out. */
  asked: string[]
}

const post = async ({ root }: World, path: string, body: object = {}) => {
  const answer = await root.post(path, body)
  expect(answer.statusCode, answer.body).toBe(200)
}

const mirror = ({ console: { system } }: World, kind: ObjectKind, id: string) =>
  applyObject(system, { kind, id }, 'webhook')

async function newPayment(world: World): Promise<string> {
  const made = await world.sandbox.control.scenario('payment_succeeds', { amount: 10_000 })
  await mirror(world, 'customer', String(made['customer']))
  await mirror(world, 'payment', String(made['payment_intent']))
  return String(made['payment_intent'])
}

const subscriptionPath = async (world: World): Promise<string> => {
  const { subscriptions } = await makeCustomer(world, 1, {}, { price: 'starter.month.usd' })
  return `/stripe/subscriptions/${subscriptions[0]}`
}

const change = (
  kind: string,
  call: { verb: string; body?: object },
  asked = 'subscriptions.update',
  before?: { verb: string; body: object },
): LostAction => ({
  kind,
  async prepare(world) {
    const path = await subscriptionPath(world)
    if (before) await post(world, `${path}/${before.verb}`, before.body)
    return { path: `${path}/${call.verb}`, ...(call.body && { body: call.body }) }
  },
  asked: [asked],
})

const newCustomer = async (world: World): Promise<string> =>
  (await makeCustomer(world, 0, { name: 'Ada Lovelace', email: 'ada@example.com' })).id

const order = async (world: World) => ({
  ...{ customer: await newCustomer(world), currency: 'usd', days_until_due: 14 },
  lines: [{ description: 'Design', unit_amount: 2500, quantity: 2 }],
})

const ofInvoice = (kind: string, verb: string, asked: string, body?: object): LostAction => ({
  kind,
  async prepare(world) {
    const made = await world.root.post('/stripe/invoices', await order(world))
    expect(made.statusCode, made.body).toBe(200)
    return { path: `/stripe/invoices/${made.json().invoice.id}/${verb}`, ...(body && { body }) }
  },
  asked: [asked],
})

/** Every kind but the credits, which have no call of their own that could be made at any time. */
export const lostActions: readonly LostAction[] = [
  {
    kind: 'refund',
    prepare: async (world) => ({ path: `/stripe/payments/${await newPayment(world)}/refund`, body: { amount: 4000 } }),
    asked: ['refunds.create'],
  },
  change('cancel', { verb: 'cancel', body: { at: 'now' } }, 'subscriptions.cancel'),
  change('undo_cancel', { verb: 'undo-cancel' }, 'subscriptions.update', {
    verb: 'cancel',
    body: { at: 'period_end' },
  }),
  change('pause', { verb: 'pause', body: { behavior: 'void' } }),
  change('resume', { verb: 'resume' }, 'subscriptions.update', { verb: 'pause', body: { behavior: 'void' } }),
  {
    kind: 'change_plan',
    async prepare(world) {
      const prices = await world.sandbox.control.dump('price')
      const price = prices.find((each) => each['lookup_key'] === 'business_month_usd')
      return { path: `${await subscriptionPath(world)}/plan`, body: { price: price?.['id'] } }
    },
    asked: ['subscriptions.update'],
  },
  {
    kind: 'invoice_create',
    prepare: async (world) => ({ path: '/stripe/invoices', body: await order(world) }),
    asked: ['invoices.create', 'invoiceItems.create', 'invoices.finalizeInvoice', 'invoices.sendInvoice'],
  },
  ofInvoice('invoice_send', 'send', 'invoices.sendInvoice'),
  {
    kind: 'invoice_pay',
    async prepare(world) {
      const { id: customer } = await makeCustomer(world, 0, { name: 'Ada Lovelace', email: 'ada@example.com' })
      const card = await saveCard(world, customer)
      const made = await world.root.post('/stripe/invoices', {
        ...{ customer, currency: 'usd', days_until_due: 14 },
        lines: [{ description: 'Design', unit_amount: 5000 }],
      })
      expect(made.statusCode, made.body).toBe(200)
      const body = { amount: 5000, payment_method: card }
      return { path: `/stripe/invoices/${made.json().invoice.id}/pay`, body }
    },
    asked: ['invoices.pay'],
  },
  ofInvoice('invoice_mark_paid', 'mark-paid', 'invoices.pay', { amount: 5000 }),
  {
    kind: 'subscription_create',
    async prepare(world) {
      const { expected_amount_due: _, ...body } = await newOrder(world)
      return { path: '/stripe/subscriptions', body }
    },
    asked: ['subscriptions.create'],
  },
  ofInvoice('invoice_void', 'void', 'invoices.voidInvoice'),
  ofInvoice('invoice_uncollectible', 'mark-uncollectible', 'invoices.markUncollectible'),
  {
    kind: 'customer_create',
    prepare: async () => ({ path: '/stripe/customers', body: { name: `Ada ${randomUUID()}` } }),
    asked: ['customers.create'],
  },
  {
    kind: 'customer_update',
    async prepare(world) {
      const path = `/stripe/customers/${await newCustomer(world)}`
      const { form } = (await world.root.get(`${path}/form`)).json()
      return { method: 'PATCH', path, body: { version: form.version, phone: '7' } }
    },
    asked: ['customers.update'],
  },
  {
    kind: 'coupon_create',
    prepare: async () => ({
      path: '/stripe/coupons',
      body: { name: `Spring ${randomUUID().slice(0, 8)}`, percent_off: 20, duration: 'once' },
    }),
    asked: ['coupons.create'],
  },
  {
    kind: 'coupon_delete',
    prepare: async (world) => ({
      method: 'DELETE',
      path: `/stripe/coupons/${await makeCoupon(world, { percent_off: '20' })}`,
    }),
    asked: ['coupons.del'],
  },
  {
    kind: 'promotion_code_create',
    prepare: async (world) => ({
      path: `/stripe/coupons/${await makeCoupon(world, { percent_off: '20' })}/promotion-codes`,
      body: { max_redemptions: 5 },
    }),
    asked: ['promotionCodes.create'],
  },
  {
    kind: 'promotion_code_switch',
    async prepare(world) {
      const code = await makeCode(world, await makeCoupon(world, { percent_off: '20' }))
      return { path: `/stripe/promotion-codes/${code}/switch`, body: { active: false } }
    },
    asked: ['promotionCodes.update'],
  },
  {
    kind: 'payment_link_create',
    prepare: async (world) => ({
      path: '/stripe/payment-links',
      body: { price: await makePrice(world), trial_days: 14, allow_promotion_codes: true },
    }),
    asked: ['paymentLinks.create'],
  },
  {
    kind: 'payment_link_switch',
    prepare: async (world) => ({
      path: `/stripe/payment-links/${await makeLink(world)}/switch`,
      body: { active: false },
    }),
    asked: ['paymentLinks.update'],
  },
]

/** Asks for it under a key. */
export function ask({ root }: World, key: string, { method, path, body }: Call) {
  const headers = { 'idempotency-key': key }
  if (method === 'PATCH') return root.patch(path, body ?? {}, headers)
  return method === 'DELETE' ? root.delete(path, headers) : root.post(path, body, headers)
}

/** Asks for it while nothing that is sent arrives: its outcome is unknown. */
export async function loseAnswer(world: World, key: string, call: Call): Promise<void> {
  const { faults } = world.sandbox
  for (const each of ['POST', 'DELETE']) faults.next('stripe', { method: each }, { connection: 'destroy' }, null)
  const answer = await ask(world, key, call)
  faults.clear()
  expect(answer.json()).toMatchObject({ code: 'outcome_unknown' })
}

/** The same for a credit, as if it was owed. */
export async function loseCredit(world: World, id: string): Promise<void> {
  const ctx = asSystem(world.console.ctx, 'webhook', 'Ada')
  const customer = await newCustomer(world)
  const incident = `incident_${id}`
  await ctx.pool.query(
    "insert into incidents (id, severity, status, title, opened_at) values ($1, 'sev3', 'open', 'Down', now())",
    [incident],
  )
  const begun = await beginAction(
    ctx,
    { ...actionRequest('sla_credit', customer, null), id },
    {
      lock: async () => {},
      prepare: async () => ({ payload: { incident, number: 1 }, amount: 500, currency: 'usd' }),
    },
  )
  if ('answer' in begun) throw new Error('It was not begun')
  world.sandbox.faults.next('stripe', { method: 'POST' }, { connection: 'destroy' }, null)
  await expect(perform(ctx, begun, sendCredit)).rejects.toMatchObject({ code: 'outcome_unknown' })
  world.sandbox.faults.clear()
}
