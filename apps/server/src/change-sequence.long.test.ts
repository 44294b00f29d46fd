import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, dumpDifferences, dumpMirror, importAll, live, openConsole } from '../test/fixtures/mirror.ts'
import { newOrder } from '../test/new-orders.ts'
import { type Caller, request } from '../test/request.ts'
import { asSystem } from './context.ts'
import { resolveRun } from './features/billing/index.ts'
import {
  makePayment,
  makeSubscription,
  type Person,
  person,
  startWorld,
  type World,
} from './features/billing/money-actions/test/world.ts'
import { invoiceHandlers } from './features/invoices/index.ts'
import { makeInvoice } from './features/invoices/test/world.ts'
import { verifyTotals } from './features/mirror/index.ts'
import { reconcileEvents } from './features/mirror/reconcile.ts'
import { walk } from './features/mirror/walk.ts'
import { newSubscriptionHandlers } from './features/new-subscriptions/index.ts'
import { sweep } from './platform/runs/jobs.ts'

type Worker = Person & { root: Caller }

let world: World
let people: Worker[]

const worker = (console: Console, name: string): Worker => ({
  ...person(console, name),
  root: request(console.ctx).as('super_admin'),
})

beforeAll(async () => {
  world = await startWorld()
  await importAll(world.console.system)
  people = [worker(world.console, 'Ada'), worker(await world.openProcess(), 'Bob')]
})

afterAll(() => world?.close())

const actions = 500
const prices = ['starter_month_usd', 'professional_month_usd', 'business_month_usd', 'business_year_usd']

/** The same numbers for the same seed, so that a failure can be repeated. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const seed = Number(process.env['SEQUENCE_SEED'] ?? Date.now() % 1_000_000)
const next = numbersFrom(seed)
const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!

const happenings = ['payment_succeeds', 'payment_fails', 'customer_updated', 'refund_created', 'subscription_started']

type Order = Awaited<ReturnType<typeof newOrder>>
type Things = {
  subscriptions: string[]
  payments: string[]
  invoices: { id: string; card: string }[]
  orders: Order[]
  priceOf: Record<string, string>
}

async function makeThings(): Promise<Things> {
  const made = await world.sandbox.control.dump('price')
  const things: Things = {
    ...{ subscriptions: [], payments: [], invoices: [], orders: [] },
    priceOf: Object.fromEntries(made.map((price) => [String(price['lookup_key']), String(price['id'])])),
  }
  for (let count = 0; count < 12; count++) await addThings(things)
  return things
}

async function addThings(things: Things): Promise<void> {
  things.subscriptions.push(await makeSubscription(world, { price: pick(prices).replaceAll('_', '.') }))
  things.payments.push((await makePayment(world, { currency: pick(['usd', 'eur', 'jpy']) })).payment)
  const order = await newOrder(world)
  things.orders.push(order)
  things.invoices.push({ id: await makeInvoice(world, order.customer), card: order.payment_method })
}

async function startOne(root: Caller, { orders, subscriptions }: Things) {
  const answer = await root.post('/stripe/subscriptions', pick(orders))
  if (answer.statusCode === 200) subscriptions.push(answer.json().subscription.id)
  return answer
}

/** One thing that an administrator does; what the state does not allow is refused, and that is fine. */
async function actOnce(who: Worker, things: Things): Promise<number> {
  const { subscriptions, payments, priceOf } = things
  const [id, invoice] = [pick(subscriptions), pick(things.invoices)]
  const bill = (verb: string, body?: object) => who.root.post(`/stripe/invoices/${invoice.id}/${verb}`, body)
  const change = (verb: string, body: object) => who.change(id, verb, { ...body })
  const behavior = pick(['void', 'keep_as_draft', 'mark_uncollectible'])
  const resumes_at = next() < 0.5 ? null : '2099-01-01T00:00:00Z'
  const acts = [
    () => who.refund(pick(payments), next() < 0.2 ? {} : { amount: 1 + Math.floor(next() * 3000) }),
    () => who.refund(pick(payments), { amount: 1 + Math.floor(next() * 3000) }),
    () => who.cancel(id, { at: next() < 0.25 ? 'now' : 'period_end' }),
    () => change('undo-cancel', {}),
    () => change('pause', { behavior, resumes_at }),
    () => change('resume', {}),
    () => change('plan', { price: priceOf[pick(prices)], proration: pick(['now', 'next_invoice', 'none']) }),
    () => bill('pay', { amount: 4000, payment_method: invoice.card }),
    () => bill('mark-paid', { amount: 4000 }),
    () => bill('void'),
    () => startOne(who.root, things),
  ]
  return (await pick(acts)()).statusCode
}

async function disturb(things: Things): Promise<void> {
  const dice = next()
  if (dice < 0.15) await world.sandbox.control.scenario(pick(happenings)).catch(() => {})
  else if (dice < 0.2) await addThings(things)
  else if (dice < 0.23) {
    const name = pick([
      ...['subscriptions.update', 'refunds.create', 'subscriptions.cancel', 'invoices.pay', 'subscriptions.create'],
    ])
    world.sandbox.faults.next('stripe', name, pick([{ connection: 'lost' }, { status: 500 }, { connection: 'cut' }]), 2)
  } else if (dice < 0.25) {
    world.console.clock.advance(20_000)
    await resolve(world.console)
  }
}

/** The sweep, as the queue would run it. */
const resolve = ({ ctx }: Console): Promise<void> =>
  sweep(asSystem(ctx, 'job', 'runs.sweep'), [resolveRun({ ...invoiceHandlers, ...newSubscriptionHandlers })], live())

/** Nothing may stay open once the provider answers again: within the day in which it keeps its failures too, and after it. */
async function settle(): Promise<void> {
  world.sandbox.faults.clear()
  for (const minutes of [11, 11, 24 * 60, 11, 11]) {
    world.console.clock.advance(minutes * 60_000)
    await resolve(world.console)
  }
}

const sumBy = (rows: readonly { key: string; value: number }[]): Record<string, number> => {
  const sums: Record<string, number> = {}
  for (const { key, value } of rows) sums[key] = (sums[key] ?? 0) + value
  return Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== 0))
}

async function revenueHere(): Promise<Record<string, number>> {
  const { rows } = await world.console.ctx.pool.query<{ key: string; value: string }>(
    `select currency as key, sum(captured - refunded) as value from daily_revenue group by 1`,
  )
  return sumBy(rows.map(({ key, value }) => ({ key, value: Number(value) })))
}

async function revenueThere(): Promise<Record<string, number>> {
  // A debit that the bank has not confirmed yet is no revenue.
  const charges = (await world.sandbox.control.dump('charge')).filter(({ status }) => status === 'succeeded')
  return sumBy(
    charges.map((charge) => ({
      key: String(charge['currency']),
      value: Number(charge['amount_captured']) - Number(charge['amount_refunded']),
    })),
  )
}

test(`after ${actions} actions of two people at once, mirror and money are those of the provider`, async () => {
  const things = await makeThings()
  const statuses: Record<string, number> = {}
  let left = actions
  const work = async (who: Worker): Promise<void> => {
    while (left-- > 0) {
      await disturb(things)
      const status = await actOnce(who, things)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(people.map(work))
  await settle()

  const { ctx, system } = world.console
  const open = await ctx.db
    .selectFrom('money_actions')
    .select(['id', 'kind', 'state'])
    .where('state', 'in', ['started', 'unknown'])
    .execute()
  expect(open, `seed ${seed}`).toEqual([])
  const done = await ctx.db.selectFrom('money_actions').select('kind').distinct().where('state', '=', 'done').execute()
  expect(done.map(({ kind }) => kind).toSorted()).toEqual([
    'cancel',
    ...['change_plan', 'invoice_mark_paid', 'invoice_pay', 'invoice_void', 'pause', 'refund', 'resume'],
    ...['subscription_create', 'undo_cancel'],
  ])
  expect(statuses['200'] ?? 0).toBeGreaterThan(actions / 5)
  expect(statuses['500'] ?? 0).toBe(0)

  await reconcileEvents(system, live())
  await world.console.runJobs()
  await walk(system, live())
  const fresh = await openConsole(world.sandbox, { clock: world.console.clock })
  try {
    await importAll(fresh.system)
    expect(dumpDifferences(await dumpMirror(ctx), await dumpMirror(fresh.ctx)), `seed ${seed}`).toEqual([])
  } finally {
    await fresh.close()
  }
  expect(await verifyTotals(ctx.db)).toEqual([])
  expect(await revenueHere()).toEqual(await revenueThere())
})
