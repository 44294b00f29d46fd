import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
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
  pauseOf,
  previewOf,
  sentAbout,
  startWorld,
  statesOf,
  type World,
} from './test/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

const suspend = (id: string, body: Record<string, unknown> = {}, headers = {}) =>
  world.root.post(`/stripe/customers/${id}/suspend`, { ...noMoney, ...body }, headers)
const unsuspend = (id: string, notice = false) => world.root.post(`/stripe/customers/${id}/unsuspend`, { notice })
const run = () => world.console.runJobs()
const countsOf = async (status: string): Promise<number> =>
  (await world.root.get(`/stripe/customers?status=${status}`)).json().total

test('suspends an account step by step, and lifts that again', async () => {
  const { id, subscriptions } = await makeCustomer(world, 2)
  const before = await countsOf('suspended')
  const answer = await suspend(id, { billing: 'void', notice: true, note: 'Spam' })
  expect(answer.statusCode).toBe(200)
  expect(answer.json().run).toMatchObject({ kind: 'suspend', state: 'waiting', can_cancel: true })
  await run()
  const { suspension, runs } = await lifecycleOf(world, id)
  expect(suspension).toMatchObject({ reason: 'abuse', note: 'Spam', by: 'Test super_admin', awaited_invoices: [] })
  expect(runs[0]).toMatchObject({ state: 'done', can_cancel: false, can_retry: false })
  expect(statesOf(runs[0])).toEqual(['record done', 'pause done', 'pause done', 'sites skipped', 'mail done'])
  expect(await customerOf(world, id)).toMatchObject({ status: 'suspended' })
  expect(await countsOf('suspended')).toBe(before + 1)
  for (const subscription of subscriptions) expect(await pauseOf(world, subscription)).toBe('void')
  const mails = await world.console.ctx.db.selectFrom('mails').select(['subject', 'state']).execute()
  expect(mails).toEqual([{ subject: 'Your account with Agency Console is suspended', state: 'kept' }])
  expect(await auditOf(world, id)).toEqual(['user customer.suspend requested done', 'job customer.suspend done done'])
  expect(await auditOf(world, subscriptions[0]!)).toEqual(['job subscription.pause done done'])

  expect((await unsuspend(id)).statusCode).toBe(200)
  await run()
  const lifted = await lifecycleOf(world, id)
  expect(lifted.suspension).toBeNull()
  expect(statesOf(lifted.runs[0])).toEqual(['resume done', 'resume done', 'sites skipped', 'record done'])
  for (const subscription of subscriptions) expect(await pauseOf(world, subscription)).toBeNull()
  expect(await customerOf(world, id)).toMatchObject({ status: 'active' })
  expect(await countsOf('suspended')).toBe(before)
  expect(sentAbout(world, subscriptions[0]!)).toHaveLength(2)
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])
})

test('stays suspended whatever the provider tells of the customer', async () => {
  const { id } = await makeCustomer(world)
  await suspend(id)
  await run()
  await world.sandbox.control.scenario('customer_updated', { customer: id, name: 'Renamed' })
  await mirror(world, 'customer', id)
  expect(await customerOf(world, id)).toMatchObject({ name: 'Renamed', status: 'suspended' })
  await world.console.ctx.db.deleteFrom('customers').where('id', '=', id).execute()
  await mirror(world, 'customer', id)
  expect(await customerOf(world, id)).toMatchObject({ status: 'suspended' })
  expect(await verifyTotals(world.console.ctx.db)).toEqual([])
})

test('leaves alone what was paused before, and what was changed meanwhile', async () => {
  const { id, subscriptions } = await makeCustomer(world, 2)
  const [mine = '', other = ''] = subscriptions
  const stripe = world.console.ctx.stripe!
  await stripe.updateSubscription(other, { pause_collection: { behavior: 'keep_as_draft' } }, 'by-hand-1')
  await mirror(world, 'subscription', other)
  await suspend(id, { billing: 'mark_uncollectible' })
  await run()
  expect([await pauseOf(world, mine), await pauseOf(world, other)]).toEqual(['mark_uncollectible', 'keep_as_draft'])
  await stripe.updateSubscription(mine, { pause_collection: { behavior: 'void' } }, 'by-hand-2')
  await unsuspend(id)
  await run()
  expect([await pauseOf(world, mine), await pauseOf(world, other)]).toEqual(['void', 'keep_as_draft'])
  const { runs } = await lifecycleOf(world, id)
  expect(runs[0]?.steps[0]).toMatchObject({ kind: 'resume', state: 'skipped' })
})

test('lifts a suspension for non-payment once the overdue invoice is paid', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  const invoice = await makeOverdue(world, id, subscriptions[0]!)
  await suspend(id, { reason: 'non_payment', billing: 'keep_as_draft', notice: true })
  await run()
  expect((await lifecycleOf(world, id)).suspension).toMatchObject({ awaited_invoices: [invoice] })
  await runJob(world.console.ctx, 'lifecycle.sweep')
  await run()
  expect((await lifecycleOf(world, id)).suspension).not.toBeNull()

  await world.sandbox.control.scenario('set_card', { customer: id })
  await world.sandbox.control.scenario('invoice_paid', { invoice })
  const event = { id: `evt_${invoice}`, type: 'invoice.paid', object_kind: 'invoice', object_id: invoice }
  await world.console.ctx.db
    .insertInto('webhook_events')
    .values({
      ...event,
      created_at: new Date(),
      received_at: new Date(),
      payload: '{}',
      origin: 'webhook',
      state: 'pending',
    })
    .execute()
  await mirror(world, 'invoice', invoice)
  expect(world.console.enqueued.map(({ name }) => name)).toContain('lifecycle.paid')
  await run()
  const { suspension, runs } = await lifecycleOf(world, id)
  expect(suspension).toBeNull()
  expect(runs[0]).toMatchObject({ kind: 'unsuspend', state: 'done', actor_name: 'lifecycle.paid' })
  expect(await pauseOf(world, subscriptions[0]!)).toBeNull()
  expect(await auditOf(world, id)).toContain('job customer.unsuspend requested done')
  const told = await world.console.ctx.db.selectFrom('notifications').select('type').execute()
  expect(told).toContainEqual({ type: 'customer.unsuspended' })
})

test('answers a repeat with the same run, and refuses another request under its key', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  const key = { 'idempotency-key': `suspend-${id}` }
  const first = await suspend(id, { billing: 'void' }, key)
  await run()
  const again = await suspend(id, { billing: 'void' }, key)
  expect(again.json().run.id).toBe(first.json().run.id)
  expect((await suspend(id, { billing: 'keep' }, key)).statusCode).toBe(409)
  await run()
  expect(sentAbout(world, subscriptions[0]!)).toHaveLength(1)
  const other = await suspend(id)
  expect([other.statusCode, other.json().detail]).toEqual([
    409,
    'This customer is already suspended. Nothing was changed.',
  ])
})

test('can be called off before it has begun, and not afterwards', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  const { run: begun } = (await suspend(id, { billing: 'void' })).json()
  const cancel = () => world.root.post(`/stripe/customers/${id}/lifecycle/${begun.id}/cancel`)
  expect((await cancel()).json().run).toMatchObject({ state: 'cancelled' })
  await run()
  expect((await lifecycleOf(world, id)).suspension).toBeNull()
  expect(await pauseOf(world, subscriptions[0]!)).toBeNull()
  expect((await cancel()).statusCode).toBe(409)
})

test('waits while Stripe is out, and goes on by itself and when it is told to', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  world.sandbox.faults.next('stripe', 'subscriptions.update', { status: 503 }, 2)
  const { run: begun } = (await suspend(id, { billing: 'void' })).json()
  await runJob(world.console.ctx, 'lifecycle.run', { subject: id })
  world.console.enqueued.length = 0
  const stuck = (await lifecycleOf(world, id)).runs[0]
  expect(stuck).toMatchObject({ state: 'running', can_retry: true })
  expect(stuck?.steps[1]).toMatchObject({ state: 'running', attempts: 1 })
  expect(stuck?.steps[1]?.note).toMatch(/Retrying automatically/)
  expect((await world.root.post(`/stripe/customers/${id}/lifecycle/${begun.id}/retry`)).statusCode).toBe(200)
  await runJob(world.console.ctx, 'lifecycle.run', { subject: id })
  world.console.enqueued.length = 0
  await runJob(world.console.ctx, 'runs.sweep')
  expect(await pauseOf(world, subscriptions[0]!)).toBeNull()
  world.console.clock.advance(6000)
  await runJob(world.console.ctx, 'runs.sweep')
  expect((await lifecycleOf(world, id)).runs[0]).toMatchObject({ state: 'done' })
  expect(await pauseOf(world, subscriptions[0]!)).toBe('void')
})

test('fails for good where Stripe refuses, keeps what was done, and can be tried again', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  world.sandbox.faults.next('stripe', 'subscriptions.update', { status: 400 }, 1)
  const { run: begun } = (await suspend(id, { billing: 'void' })).json()
  await run()
  const failed = (await lifecycleOf(world, id)).runs[0]
  expect(failed).toMatchObject({ state: 'failed', can_retry: true })
  expect(statesOf(failed)).toEqual(['record done', 'pause failed', 'sites waiting'])
  expect(await customerOf(world, id)).toMatchObject({ status: 'suspended' })
  expect(await auditOf(world, id)).toContain('job customer.suspend failed failed')
  await world.root.post(`/stripe/customers/${id}/lifecycle/${begun.id}/retry`)
  await run()
  expect((await lifecycleOf(world, id)).runs[0]).toMatchObject({ state: 'done' })
  expect(await pauseOf(world, subscriptions[0]!)).toBe('void')
})

test('says before what it will reach', async () => {
  const { id, subscriptions } = await makeCustomer(world)
  const invoice = await makeOverdue(world, id, subscriptions[0]!)
  const preview = await previewOf(world, id, 'suspend?reason=non_payment&billing=void&notice=true')
  expect(preview.subscriptions).toMatchObject([{ id: subscriptions[0], change: 'paused' }])
  expect(preview.open_invoices).toMatchObject({ count: 1 })
  expect(preview.sites).toMatchObject({ count: 0, domains: 0 })
  expect(preview.mails).toHaveLength(1)
  expect(preview.steps).toHaveLength(4)
  expect(preview.warnings.join(' ')).toMatch(/Ends automatically when the overdue invoice is paid/)
  expect(invoice).toMatch(/^in_/)
  expect(preview.blocked).toBeNull()
})

test('refuses without permission, and changes nothing', async () => {
  const { id } = await makeCustomer(world)
  const path = `/stripe/customers/${id}`
  const reader = request(world.console.ctx).as(['customers.read'])
  expect((await reader.get(`${path}/suspend`)).statusCode).toBe(403)
  for (const act of ['suspend', 'unsuspend', 'delete', 'restore', 'erase', 'lifecycle/x/retry', 'lifecycle/x/cancel'])
    expect([act, (await reader.post(`${path}/${act}`, {})).statusCode]).toEqual([act, 403])
  const writer = request(world.console.ctx).as(['customers.read', 'customers.write'])
  const refused = await writer.post(`${path}/suspend`, { ...noMoney, billing: 'void' })
  expect([refused.statusCode, refused.json().detail]).toEqual([403, 'This needs the permission billing.write'])
  expect(await auditOf(world, id)).toEqual(['user customer.suspend denied'])
  expect((await writer.post(`${path}/suspend`, noMoney)).statusCode).toBe(200)
})

test('refuses what is not valid, and changes nothing', async () => {
  const { id } = await makeCustomer(world)
  const bodies = [
    {},
    { ...noMoney, reason: 'whim' },
    { ...noMoney, billing: 'stop' },
    { ...noMoney, reason: 'other' },
    { ...noMoney, note: 'x'.repeat(501) },
    { ...noMoney, more: true },
  ]
  for (const body of bodies)
    expect((await world.root.post(`/stripe/customers/${id}/suspend`, body)).statusCode).toBe(400)
  expect((await suspend('cus_unknown')).statusCode).toBe(404)
  expect((await unsuspend(id)).statusCode).toBe(409)
  expect((await world.root.get(`/stripe/customers/${id}/suspend?billing=stop`)).statusCode).toBe(400)
  expect((await lifecycleOf(world, id)).runs).toEqual([])
})
