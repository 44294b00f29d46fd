import type { Reach } from '@agency/contract/types'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mirrorObject, sentAbout, startWorld, type World } from './money-actions/test/world.ts'

let world: World
let prices: Record<string, string>

beforeAll(async () => {
  world = await startWorld()
  prices = {}
  for (const kind of ['product', 'price'] as const) {
    for (const { id, lookup_key: key } of await world.sandbox.control.dump(kind)) {
      await mirrorObject(world.console, kind, String(id))
      if (kind === 'price') prices[String(key)] = String(id)
    }
  }
})

afterAll(() => world?.close())

type Body = Record<string, unknown>

const hourMs = 3_600_000
const runs = 200

const sold = [
  ...['starter_month_usd', 'professional_month_usd', 'business_month_usd', 'enterprise_month_usd'],
  ...['starter_year_usd', 'business_year_usd', 'starter_month_eur', 'business_quarter_usd', 'editing_week_usd'],
]
const behaviors = ['void', 'keep_as_draft', 'mark_uncollectible'] as const
const days = fc.option(fc.integer({ min: 1, max: 90 }), { nil: null })

const act = fc.oneof(
  fc.record({ type: fc.constant('cancel' as const), at: fc.constantFrom('now', 'period_end') }),
  fc.record({ type: fc.constant('undo-cancel' as const) }),
  fc.record({ type: fc.constant('pause' as const), behavior: fc.constantFrom(...behaviors), days }),
  fc.record({ type: fc.constant('resume' as const) }),
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('plan' as const),
      price: fc.constantFrom(...sold),
      proration: fc.constantFrom('now', 'next_invoice', 'none'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('refund' as const),
      amount: fc.option(fc.integer({ min: 1, max: 40_000 }), { nil: null }),
    }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

const situation = fc.record({
  price: fc.constantFrom(...sold),
  quantity: fc.integer({ min: 1, max: 3 }),
  percentOff: fc.option(fc.constantFrom(10, 12.5, 33), { nil: null }),
  agedHours: fc.constantFrom(0, 0, 1, 30),
  before: fc.constantFrom('nothing', 'nothing', 'nothing', 'cancel_later', 'pause', 'unpaid', 'ended', 'refunded'),
})
type Given = typeof situation extends fc.Arbitrary<infer T> ? T : never

async function stripe(path: string, form: Record<string, string>): Promise<Body> {
  const answer = await fetch(`${world.sandbox.stripe.baseUrl}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.sandbox.stripe.secretKey}` },
    body: new URLSearchParams(form),
  })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return (await answer.json()) as Body
}

const found = async (kind: string, id: string): Promise<Body> =>
  (await world.sandbox.control.dump(kind)).find((object) => object['id'] === id)!

const invoicesOf = async (id: string): Promise<Body[]> =>
  (await world.sandbox.control.dump('invoice')).filter((invoice) => JSON.stringify(invoice['parent']).includes(id))

/** A subscription in some state, at the provider and in the mirror; and the payment that began it. */
async function makeSituation(given: Given): Promise<{ id: string; payment: string }> {
  const { scenario } = world.sandbox.control
  const { customer } = await scenario('customer_created', {})
  const started = { customer, price: given.price.replaceAll('_', '.'), quantity: given.quantity }
  const id = String((await scenario('subscription_started', started))['subscription'])
  if (given.percentOff !== null) {
    const coupon = await stripe('coupons', { percent_off: String(given.percentOff), duration: 'forever' })
    await mirrorObject(world.console, 'coupon', String(coupon['id']))
    await stripe(`subscriptions/${id}`, { 'discounts[0][coupon]': String(coupon['id']) })
  }
  if (given.agedHours > 0) {
    await world.sandbox.advance(given.agedHours * hourMs)
    world.console.clock.advance(given.agedHours * hourMs)
  }
  if (given.before === 'cancel_later') await stripe(`subscriptions/${id}`, { cancel_at_period_end: 'true' })
  if (given.before === 'pause') await stripe(`subscriptions/${id}`, { 'pause_collection[behavior]': 'void' })
  if (given.before === 'unpaid') await billExtra(id, String(customer))
  if (given.before === 'ended') await scenario('subscription_cancelled', { subscription: id })
  const payment = await firstPayment(id)
  if (given.before === 'refunded') await scenario('refund_created', { payment_intent: payment, amount: 100 })
  await mirrorObject(world.console, 'customer', String(customer))
  await mirrorAll(id)
  await mirrorObject(world.console, 'payment', payment)
  return { id, payment }
}

/** An invoice of the subscription that nobody has paid yet. */
async function billExtra(subscription: string, customer: string): Promise<void> {
  const currency = String((await found('subscription', subscription))['currency'])
  await stripe('invoiceitems', { customer, subscription, currency, amount: '4200' })
  const terms = { collection_method: 'send_invoice', days_until_due: '30', pending_invoice_items_behavior: 'include' }
  const invoice = await stripe('invoices', { customer, subscription, ...terms })
  await stripe(`invoices/${invoice['id']}/finalize`, {})
}

async function mirrorAll(id: string): Promise<void> {
  await mirrorObject(world.console, 'subscription', id)
  for (const invoice of await invoicesOf(id)) await mirrorObject(world.console, 'invoice', String(invoice['id']))
}

async function firstPayment(id: string): Promise<string> {
  const invoices = (await invoicesOf(id)).map((invoice) => invoice['id'])
  const paid = (await world.sandbox.control.dump('invoice_payment')).find(
    (each) => invoices.includes(each['invoice']) && (each['payment'] as Body)['payment_intent'],
  )!
  await mirrorObject(world.console, 'invoice_payment', String(paid['id']))
  return String((paid['payment'] as Body)['payment_intent'])
}

const compared = [
  ...['status', 'plan_id', 'plan_name', 'amount', 'interval', 'interval_count', 'mrr'],
  ...['cancel_at', 'cancel_at_period_end', 'pause_collection', 'pause_resumes_at'],
] as const
const of = (state: Body) => Object.fromEntries(compared.map((name) => [name, state[name]]))

/** The moments of the act itself lie some seconds after those of its preview. */
const near = (a: unknown, b: unknown) => Math.abs(Date.parse(String(a)) - Date.parse(String(b))) < 60_000

type Previewed = { reach: Reach; next?: Body | null; proration_date?: number }

async function preview(id: string, payment: string, wanted: Act): Promise<LightMyRequestResponse> {
  switch (wanted.type) {
    case 'cancel':
      return world.ada.preview(id)
    case 'refund':
      return world.ada.refundReach(payment, wanted.amount === null ? '' : `?amount=${wanted.amount}`)
    case 'plan':
      return world.ada.foresee(id, `plan-change?price=${prices[wanted.price]}&proration=${wanted.proration}`)
    case 'pause': {
      const until = untilOf(wanted.days)
      return world.ada.foresee(
        id,
        `reach?action=pause&behavior=${wanted.behavior}${until ? `&resumes_at=${until}` : ''}`,
      )
    }
    default:
      return world.ada.foresee(id, `reach?action=${wanted.type.replace('-', '_')}`)
  }
}

let untilBase = 0
const untilOf = (after: number | null): string | null =>
  after === null ? null : `${new Date(untilBase + after * 24 * hourMs).toISOString().slice(0, 19)}Z`

function readPreview(wanted: Act, answer: LightMyRequestResponse): Previewed {
  const body = answer.json()
  if (wanted.type === 'cancel') return { reach: body[wanted.at].reach }
  return { reach: body.reach, next: body.next_invoice, proration_date: body.proration_date }
}

function doIt(id: string, payment: string, wanted: Act, { next, proration_date }: Previewed) {
  switch (wanted.type) {
    case 'cancel':
      return world.ada.cancel(id, { at: wanted.at })
    case 'refund':
      return world.ada.refund(payment, wanted.amount === null ? {} : { amount: wanted.amount })
    case 'plan': {
      const expected = next ? { expected_amount_due: next['amount_due'] } : {}
      const body = { price: prices[wanted.price], proration: wanted.proration, proration_date, ...expected }
      return world.ada.change(id, 'plan', body)
    }
    case 'pause':
      return world.ada.change(id, 'pause', { behavior: wanted.behavior, resumes_at: untilOf(wanted.days) })
    default:
      return world.ada.change(id, wanted.type)
  }
}

const linesOf = (invoice: Body) =>
  ((invoice['lines'] as { data: Body[] }).data as { amount: number; description: string }[])
    .map(({ amount, description }) => `${amount} ${description}`)
    .toSorted()

/** What the invoice came to, at once or with the next renewal. */
async function checkInvoice(id: string, next: Body): Promise<void> {
  if (!next['charged_now']) await world.sandbox.control.scenario('subscription_renewed', { subscription: id })
  const latest = String((await found('subscription', id))['latest_invoice'])
  const invoice = await found('invoice', latest)
  const shown = (next['lines'] as { amount: number; description: string }[])
    .map(({ amount, description }) => `${amount} ${description}`)
    .toSorted()
  expect(linesOf(invoice)).toEqual(shown)
  expect(invoice).toMatchObject({ total: next['total'], subtotal: next['subtotal'] })
  if (next['charged_now']) expect(invoice).toMatchObject({ status: 'paid', amount_paid: next['amount_due'] })
}

async function checkUnpaid(reach: Reach, before: readonly Body[]): Promise<void> {
  for (const { id, becomes, status } of reach.invoices) {
    const was = before.find((invoice) => invoice['id'] === id)!
    const now = await found('invoice', id)
    expect(now['status']).toBe(status)
    expect(now['auto_advance']).toBe(becomes === 'not_collected' ? false : was['auto_advance'])
  }
}

async function checkDone(id: string, wanted: Act, shown: Previewed, answer: Body, unpaid: readonly Body[]) {
  const { reach } = shown
  if (wanted.type === 'refund') {
    const { status, refunded_amount, refundable_amount } = answer['payment'] as Body
    expect({ status, refunded_amount, refundable_amount }).toEqual(reach.payment?.after)
    const [going] = reach.subscriptions
    expect(going?.after).toEqual(going?.before)
    return
  }
  const [{ after } = { after: {} }] = reach.subscriptions
  const now = answer['subscription'] as Body
  expect(of(now)).toEqual(of(after))
  expect(near(now['current_period_end'], (after as Body)['current_period_end'])).toBe(true)
  await checkUnpaid(reach, unpaid)
  if (shown.next) await checkInvoice(id, shown.next)
  if (wanted.type === 'cancel' && wanted.at === 'period_end' && now['status'] !== 'cancelled') {
    await world.sandbox.control.scenario('subscription_renewed', { subscription: id })
    expect(await found('subscription', id)).toMatchObject({ status: 'canceled' })
    expect(reach.mrr).toMatchObject([{ after: 0 }])
  } else expect(reach.mrr).toMatchObject([{ after: now['mrr'] }])
}

async function checkRefused(id: string, reach: Reach, answer: LightMyRequestResponse, before: Body): Promise<void> {
  expect(answer.json()).toMatchObject({ status: 409, detail: reach.refusal })
  expect(await found('subscription', id)).toEqual(before)
}

/** What takes something back mostly finds something to take back. */
function fitting(given: Given, wanted: Act): Given {
  if (given.before !== 'nothing') return given
  if (wanted.type === 'undo-cancel') return { ...given, before: 'cancel_later' }
  return wanted.type === 'resume' ? { ...given, before: 'pause' } : given
}

const plain: Given = { price: 'starter_month_usd', quantity: 1, percentOff: null, agedHours: 0, before: 'nothing' }
const everyKind: [Given, Act][] = [
  [plain, { type: 'cancel', at: 'now' }],
  [plain, { type: 'undo-cancel' }],
  [plain, { type: 'pause', behavior: 'void', days: null }],
  [plain, { type: 'resume' }],
  [plain, { type: 'plan', price: 'business_month_usd', proration: 'now' }],
  [plain, { type: 'refund', amount: null }],
  [
    { ...plain, before: 'ended' },
    { type: 'pause', behavior: 'void', days: null },
  ],
]
/** What luck alone might leave out: each kind three times. */
const examples = [1, 2, 3].flatMap((quantity) =>
  everyKind.map(([given, wanted]): [Given, Act] => [{ ...given, quantity }, wanted]),
)

const seen: Record<string, number> = {}
const count = (what: string): void => {
  seen[what] = (seen[what] ?? 0) + 1
}

test(`what is previewed is what then happens, row by row, in ${runs} situations`, async () => {
  await fc.assert(
    fc.asyncProperty(situation, act, async (given, wanted) => {
      const { id, payment } = await makeSituation(fitting(given, wanted))
      untilBase = world.console.clock.now()
      const before = await found('subscription', id)
      const unpaid = await invoicesOf(id)
      const answered = await preview(id, payment, wanted)
      const sent = sentAbout(world, id).length
      expect(await found('subscription', id)).toEqual(before)
      if (answered.statusCode !== 200) {
        // More than was paid is a wrong question, to the preview as to the act.
        const refused = await doIt(id, payment, wanted, { reach: {} as Reach })
        expect(refused.json()).toMatchObject({ status: 400, detail: answered.json().detail })
        count('asked wrongly')
        return
      }
      const shown = readPreview(wanted, answered)
      const answer = await doIt(id, payment, wanted, shown)
      if (shown.reach.refusal !== null) {
        await checkRefused(id, shown.reach, answer, before)
        expect(sentAbout(world, id)).toHaveLength(sent)
        count('refused')
        return
      }
      expect(answer.json()).toMatchObject({ success: true })
      if (shown.reach.is_so_already) {
        expect(sentAbout(world, id)).toHaveLength(sent)
        expect(await found('subscription', id)).toEqual(before)
        count('so already')
        return
      }
      await checkDone(id, wanted, shown, answer.json(), unpaid)
      count(wanted.type)
    }),
    { numRuns: runs + examples.length, examples, endOnFailure: true },
  )
  // A generator that never comes to the point would prove nothing.
  for (const kind of ['cancel', 'undo-cancel', 'pause', 'resume', 'plan', 'refund', 'refused'])
    expect(seen[kind], kind).toBeGreaterThan(2)
})
