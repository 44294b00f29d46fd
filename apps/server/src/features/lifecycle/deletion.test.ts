import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { dumpTotals, importAll } from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import { verifyTotals } from '../mirror/index.ts'
import {
  auditOf,
  customerOf,
  lifecycleOf,
  makeCustomer,
  makeOverdue,
  mirror,
  noMoney,
  previewOf,
  sentAbout,
  startWorld,
  statesOf,
  type World,
} from './test/world.ts'

const dayMs = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

const remove = (id: string, body: Record<string, unknown> = {}, headers = {}) =>
  world.root.post(`/stripe/customers/${id}/delete`, { at_stripe: false, ...body }, headers)
const restore = (id: string) => world.root.post(`/stripe/customers/${id}/restore`)
const erase = (id: string, name: string) => world.root.post(`/stripe/customers/${id}/erase`, { typed_name: name })
const run = () => world.console.runJobs()
const list = async (query: string): Promise<{ customers: { id: string }[]; total: number | null }> =>
  (await world.root.get(`/stripe/customers?limit=100&${query}`)).json()
const isListed = async (id: string, query = ''): Promise<boolean> =>
  (await list(query)).customers.some((customer) => customer.id === id)
const rowOf = (id: string) =>
  world.console.ctx.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function eraseNow(id: string): Promise<void> {
  await remove(id)
  await run()
  await erase(id, (await previewOf(world, id, 'erase')).typed_name)
  await run()
}

test('hides a customer from the lists, and brings it back', async () => {
  const { id, subscriptions } = await makeCustomer(world, 1, { name: 'Gone Fishing Ltd' })
  const before = await list('')
  expect((await remove(id)).statusCode).toBe(200)
  await run()
  const { deletion, runs } = await lifecycleOf(world, id)
  expect(deletion).toMatchObject({ by: 'Test super_admin', erased_at: null })
  expect(statesOf(runs[0])).toEqual(['record done', 'sites skipped'])
  for (const query of [
    '',
    'search=gone fishing',
    'sort=name',
    'sort=-total_revenue',
    'status=active',
    'account_type=starter',
  ])
    expect([query, await isListed(id, query)]).toEqual([query, false])
  expect((await list('')).total).toBe((before.total ?? 0) - 1)
  expect(await list('status=deleted')).toMatchObject({ customers: [{ id, status: 'deleted' }], total: 1 })
  expect(await isListed(id, 'status=deleted&search=fishing')).toBe(true)
  expect((await world.root.get('/search?term=gone fishing')).json().hits ?? []).toEqual([])
  expect(sentAbout(world, subscriptions[0]!)).toEqual([])
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])

  expect((await restore(id)).json()).toEqual({ success: true })
  expect(await customerOf(world, id)).toMatchObject({ status: 'active' })
  expect(await list('')).toMatchObject({ total: before.total })
  expect(await isListed(id, 'search=gone fishing')).toBe(true)
  expect((await restore(id)).statusCode).toBe(409)
  expect(await auditOf(world, id)).toEqual([
    'user customer.delete requested done',
    'job customer.delete done done',
    'user customer.restore done',
  ])
})

test('deletes at Stripe too, which ends the live subscriptions, only with the name typed', async () => {
  const { id, subscriptions } = await makeCustomer(world, 2, { name: 'Short Stay' })
  const preview = await previewOf(world, id, 'delete?at_stripe=true')
  expect(preview.subscriptions.map(({ change }) => change)).toEqual(['cancelled', 'cancelled'])
  expect(preview.mrr_change[0]!.amount).toBeLessThan(0)
  const wrong = await remove(id, { at_stripe: true, typed_name: 'short stay' })
  expect([wrong.statusCode, wrong.json().detail]).toEqual([400, 'Type Short Stay to confirm. Nothing was changed.'])
  const admin = request(world.console.ctx).as(['customers.delete', 'customers.write', 'customers.read'])
  expect(
    (await admin.post(`/stripe/customers/${id}/delete`, { at_stripe: true, typed_name: 'Short Stay' })).statusCode,
  ).toBe(403)
  expect(sentAbout(world, id)).toEqual([])

  expect((await remove(id, { at_stripe: true, typed_name: 'Short Stay' })).statusCode).toBe(200)
  await run()
  expect(statesOf((await lifecycleOf(world, id)).runs[0])).toEqual([
    'record done',
    'delete_at_stripe done',
    'sites skipped',
  ])
  expect(sentAbout(world, id)).toHaveLength(1)
  const row = await customerOf(world, id)
  expect(row).toMatchObject({ status: 'deleted', deleted: true })
  expect(row.subscriptions.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'cancelled'])
  expect(row.subscriptions.map(({ id }: { id: string }) => id).sort()).toEqual([...subscriptions].sort())
  expect(await auditOf(world, id)).toContain('job customer.delete_at_stripe done done')
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])
  await restore(id)
  expect(await customerOf(world, id)).toMatchObject({ status: 'cancelled', deleted: true })
})

test('erases who a customer was, keeps the money, and nothing brings it back', async () => {
  const { id, subscriptions } = await makeCustomer(world, 1, { name: 'Secret Person', email: 'secret@person.example' })
  const invoice = await makeOverdue(world, id, subscriptions[0]!)
  await world.root.post(`/stripe/customers/${id}/notes`, { text: 'Knows Secret Person well' })
  await world.root.post(`/stripe/customers/${id}/suspend`, { ...noMoney, notice: true })
  await run()
  await importAll(world.console.system)
  const totals = await dumpTotals(world.console.ctx)
  await eraseNow(id)
  expect((await lifecycleOf(world, id)).deletion).toMatchObject({ erased_at: expect.any(String) })

  const expectErased = async () => {
    expect(await rowOf(id)).toMatchObject({
      ...{ name: null, email: null, phone: null, company: null, country: null, metadata: {}, status: 'deleted' },
    })
    for (const table of [
      'customers',
      'subscriptions',
      'invoices',
      'payments',
      'charges',
      'checkout_sessions',
      'customer_search',
      'customer_notes',
      'mails',
      'money_actions',
      'webhook_events',
    ]) {
      const { rows } = await world.console.ctx.pool.query(
        `select count(*) as found from ${table} t where lower(t::text) like '%secret%person%' or t::text like '%secret@person%'`,
      )
      expect([table, Number(rows[0].found)]).toEqual([table, 0])
    }
  }
  await expectErased()
  const money = await dumpTotals(world.console.ctx)
  for (const total of [
    'daily_revenue',
    'payment_totals',
    'customer_totals',
    'subscription_totals',
    'daily_subscriptions',
  ])
    expect(money[total]).toEqual(totals[total])
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])

  await world.sandbox.control.scenario('customer_updated', { customer: id, name: 'Secret Person again' })
  await mirror(world, 'customer', id)
  await mirror(world, 'invoice', invoice)
  await mirror(world, 'subscription', subscriptions[0]!)
  await expectErased()
  await importAll(world.console.system)
  await expectErased()
  await runJob(world.console.ctx, 'mirror.walk')
  await expectErased()
  const { rows } = await world.console.ctx.pool.query(
    `select * from drift_rows where object_id = $1 or object_id = $2`,
    [id, invoice],
  )
  expect(rows).toEqual([])
  expect((await restore(id)).statusCode).toBe(409)
  expect(await auditOf(world, id)).toContain('job customer.erase done done')
})

test('erases by itself after thirty days, and not before', async () => {
  const { id } = await makeCustomer(world, 0, { name: 'Patience' })
  await remove(id)
  await run()
  world.console.clock.advance(30 * dayMs - 60_000)
  await runJob(world.console.ctx, 'lifecycle.sweep')
  await run()
  expect(await rowOf(id)).toMatchObject({ name: 'Patience' })
  world.console.clock.advance(120_000)
  await runJob(world.console.ctx, 'lifecycle.sweep')
  await run()
  expect(await rowOf(id)).toMatchObject({ name: null, email: null })
})

test('is not erased once it was restored', async () => {
  const { id } = await makeCustomer(world, 0, { name: 'Came Back' })
  await remove(id)
  await run()
  await restore(id)
  world.console.clock.advance(31 * dayMs)
  await runJob(world.console.ctx, 'lifecycle.sweep')
  await run()
  expect(await rowOf(id)).toMatchObject({ name: 'Came Back', status: 'pending' })
})

test('refuses what is not possible, and changes nothing', async () => {
  const { id } = await makeCustomer(world, 0, { name: 'Stay' })
  expect((await erase(id, 'Stay')).statusCode).toBe(409)
  expect((await restore(id)).statusCode).toBe(409)
  for (const body of [{}, { at_stripe: 'yes' }, { at_stripe: true, extra: 1 }])
    expect((await world.root.post(`/stripe/customers/${id}/delete`, body)).statusCode).toBe(400)
  expect((await remove('cus_unknown')).statusCode).toBe(404)
  await remove(id)
  await run()
  expect((await remove(id)).json().detail).toBe('This customer is already deleted. Nothing was changed.')
  expect((await erase(id, 'stay')).statusCode).toBe(400)
  const keeper = request(world.console.ctx).as(['customers.delete', 'customers.read'])
  expect((await keeper.post(`/stripe/customers/${id}/erase`, { typed_name: 'Stay' })).statusCode).toBe(403)
  expect(await rowOf(id)).toMatchObject({ name: 'Stay' })
})
