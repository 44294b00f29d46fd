import type { TimelineEntry } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

type Page = {
  entries: TimelineEntry[]
  has_more: boolean
  next: string | null
  previous: string | null
  hidden: { kind: string; permission: string }[]
}

let t: TestContext
const siteId = `site_${'a'.repeat(16)}`
const day = (date: string) => `2026-${date}T00:00:00Z`
const seconds = (time: string) => Date.parse(time) / 1000

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [
    { id: 'prod_a', name: 'Starter' },
    { id: 'prod_b', name: 'Business' },
  ])
  await insertRows(pool, 'prices', [
    { id: 'price_a', product_id: 'prod_a' },
    { id: 'price_b', product_id: 'prod_b', interval: 'year' },
  ])
  await insertRows(pool, 'customers', [
    { id: 'cus_1', name: 'Ada', email: 'Ada@Example.com' },
    { id: 'cus_2', name: 'Empty', email: 'empty@example.com' },
    { id: 'cus_3', name: 'Other', email: 'other@example.com' },
  ])
  await insertRows(pool, 'subscriptions', [
    {
      ...{ id: 'sub_1', customer_id: 'cus_1', product_id: 'prod_a', amount: 2500, created_at: day('02-01') },
      ...{ status: 'cancelled', cancelled_at: day('05-01'), ended_at: day('06-01') },
    },
    {
      ...{ id: 'sub_2', customer_id: 'cus_1', product_id: 'prod_a', amount: 900, created_at: day('07-01') },
      ...{ status: 'cancelled', cancelled_at: day('08-01'), ended_at: day('08-01') },
    },
  ])
  // Refunds and disputes may come before the payment that they are of.
  await insertRows(pool, 'refunds', [
    { id: 're_1', payment_id: 'pi_1', amount: 250, reason: 'duplicate', created_at: day('03-20') },
  ])
  await insertRows(
    pool,
    'payments',
    Array.from({ length: 30 }, (_, index) => ({
      ...{ id: `pi_${index}`, customer_id: 'cus_1', amount_captured: 1000, description: `Order ${index}` },
      // Three of the same instant each.
      created_at: new Date(Date.parse(day('03-01')) + Math.floor(index / 3) * 3_600_000),
    })),
  )
  await insertRows(pool, 'disputes', [
    { id: 'dp_1', payment_id: 'pi_2', reason: 'fraudulent', created_at: day('03-21') },
  ])
  await insertRows(pool, 'invoices', [
    {
      ...{ id: 'in_1', customer_id: 'cus_1', number: 'A-1', subscription_id: 'sub_1', created_at: day('02-01') },
      raw: { status_transitions: { finalized_at: seconds(day('02-01')), paid_at: seconds(day('02-02')) } },
    },
    {
      ...{ id: 'in_2', customer_id: 'cus_1', number: 'A-2', created_at: day('09-01'), amount_due: 700 },
      raw: {
        status_transitions: { finalized_at: seconds(day('09-02')), paid_at: null, voided_at: seconds(day('09-05')) },
      },
    },
    {
      ...{ id: 'in_3', customer_id: 'cus_1', number: 'A-3', created_at: day('09-01') },
      raw: { status_transitions: { finalized_at: 'never', marked_uncollectible_at: seconds(day('09-06')) } },
    },
  ])
  await insertRows(pool, 'checkout_sessions', [
    { id: 'cs_1', customer_id: 'cus_1', metadata: { site_name: 'Bakery' }, created_at: day('10-01') },
    { id: 'cs_2', customer_id: 'cus_1', mode: 'setup', created_at: day('10-02') },
  ])
  await insertRows(pool, 'audit_entries', [
    {
      ...{ resource_type: 'payment', resource_id: 'pi_1', action: 'payment.refund', actor_name: 'Grace' },
      ...{ at: day('03-20'), after: { amount: 250, currency: 'usd', state: 'requested' } },
    },
    { resource_type: 'payment', resource_id: 'pi_elsewhere', action: 'payment.refund', at: day('03-20') },
    { resource_type: 'customer', resource_id: 'cus_1', action: 'customer.update', at: day('03-22') },
    { resource_type: 'customer', resource_id: 'cus_3', action: 'customer.update', at: day('03-22') },
    {
      ...{ resource_type: 'customer_note', resource_id: 'note_gone', action: 'customer_note.delete' },
      ...{ at: day('03-23'), before: { customer_id: 'cus_1', text: 'secret' } },
    },
    { resource_type: 'setting', resource_id: 'cus_1', action: 'settings.change', at: day('03-23') },
  ])
  await insertSite(pool, { id: siteId, name: 'Bakery', customer: 'cus_1' })
  await insertSite(pool, { id: `site_${'b'.repeat(16)}`, customer: 'cus_3' })
  await insertDeployment(pool, { id: 'dep_1', site: siteId, at: day('10-03') })
  await insertDeployment(pool, { id: 'dep_2', site: siteId, at: day('10-04'), kind: 'rollback', status: 'failed' })
  await insertDeployment(pool, { id: 'dep_other', site: `site_${'b'.repeat(16)}`, at: day('10-04') })
  const alert = { rule: 'site.down', severity: 'error', last_seen_at: new Date(day('10-05')), link: null }
  const ended = { status: 'resolved', resolved_at: new Date(day('10-06')), opened_at: new Date(day('10-05')) }
  await t.ctx.db
    .insertInto('alerts')
    .values([
      {
        ...{ ...alert, ...ended, id: 'alert_1', subject: 'site', subject_id: siteId, subject_name: 'Bakery' },
        ...{ title: 'Bakery is down', detail: 'Answered with status 500' },
      },
      {
        ...{ ...alert, id: 'alert_2', status: 'open', opened_at: new Date(day('10-07')), subject: 'sites' },
        ...{ subject_id: 'zone', subject_name: 'Zone', title: '2 sites are down', detail: '' },
      },
    ])
    .execute()
  const of = { site_id: siteId, customer_id: 'cus_1' }
  await t.ctx.db
    .insertInto('alert_sites')
    .values([
      { ...of, alert_id: 'alert_1', opened_at: new Date(day('10-05')) },
      { ...of, alert_id: 'alert_2', opened_at: new Date(day('10-07')) },
      {
        alert_id: 'alert_2',
        site_id: `site_${'b'.repeat(16)}`,
        customer_id: 'cus_3',
        opened_at: new Date(day('10-07')),
      },
    ])
    .execute()
  const note = { author_type: 'user', author_id: 'u', author_name: 'Grace' }
  await t.ctx.db
    .insertInto('customer_notes')
    .values({ ...note, id: 'note_1', customer_id: 'cus_1', text: 'Called\nback', created_at: new Date(day('11-01')) })
    .execute()
  const mail = { kind: 'test', sealed_text: '', state: 'sent', created_at: new Date(day('11-02')) }
  await t.ctx.db
    .insertInto('mails')
    .values([
      { ...mail, id: 'mail_1', to_address: 'ada@example.com', subject: 'Your invoice' },
      // To the administrator who happens to have the address.
      { ...mail, id: 'mail_2', to_address: 'ada@example.com', subject: 'Reset your password', user_id: 'user_1' },
      { ...mail, id: 'mail_3', to_address: 'other@example.com', subject: 'Not hers' },
    ])
    .execute()
})
afterAll(() => t.close())

const base = '/stripe/customers/cus_1/activity'
const all = () => request(t.ctx).as('super_admin')

async function read(query = '', caller: Caller = all(), path = base): Promise<Page> {
  const response = await caller.get(`${path}?${query}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

async function readAll(
  query: string,
  direction: 'next' | 'previous' = 'next',
  from?: string,
): Promise<TimelineEntry[]> {
  let entries: TimelineEntry[] = []
  let page = await read(from ?? query)
  for (;;) {
    entries = direction === 'next' ? [...entries, ...page.entries] : [...page.entries, ...entries]
    const cursor = page[direction]
    if (cursor === null) return entries
    page = await read(`${query}&${direction === 'next' ? 'before' : 'after'}=${encodeURIComponent(cursor)}`)
  }
}

const titles = (entries: readonly TimelineEntry[]) => entries.map(({ title }) => title)
const ofKind = (kind: string, entries: readonly TimelineEntry[]) => entries.filter((entry) => entry.kind === kind)

test('merges every kind, newest first', async () => {
  const { entries, next, previous, hidden } = await read('limit=100')
  expect({ next, previous, hidden }).toEqual({ next: null, previous: null, hidden: [] })
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  const times = entries.map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  const others = entries.filter(({ kind }) => kind !== 'payment')
  expect(entries.length - others.length).toBe(30)
  expect(others.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
    'mail: Email sent',
    'note: Note',
    'alert: 2 sites are down',
    'alert: Bakery is down',
    'deployment: Rollback failed',
    'deployment: Site deployed',
    'purchase: Purchase completed',
    'invoice: Invoice marked uncollectible',
    'invoice: Invoice voided',
    'invoice: Invoice finalized',
    'invoice: Invoice created',
    'invoice: Invoice created',
    'subscription: Subscription ended',
    'subscription: Subscription started',
    'subscription: Subscription ended',
    'subscription: Cancellation scheduled',
    'action: Deleted a note about Ada',
    'action: Changed the customer Ada',
    'dispute: Dispute: needs response',
    'action: Started to refund $2.50 to Ada',
    'refund: Refund',
    'invoice: Invoice paid',
    'invoice: Invoice created',
    'subscription: Subscription started',
  ])
})

test('tells who, how much, in which words, and where it is shown', async () => {
  const { entries } = await read('limit=100')
  const one = (kind: string) => ofKind(kind, entries)[0]
  expect(one('payment')).toMatchObject({
    ...{ title: 'Payment succeeded', amount: 1000, currency: 'usd', detail: 'Order 29', actor: null },
    path: '/admin/payments?open=pi_29',
  })
  expect(one('refund')).toMatchObject({ amount: 250, detail: 'duplicate', path: '/admin/payments?open=pi_1' })
  expect(one('note')).toMatchObject({
    ...{ actor: 'Grace', detail: 'Called\nback', path: '/admin/customers?open=cus_1&tab=notes' },
  })
  expect(one('mail')).toMatchObject({ detail: 'Your invoice', path: '/admin/config?tab=outbox' })
  expect(ofKind('alert', entries)).toMatchObject([
    { detail: 'Bakery', status: 'open', path: '/admin/alerts?open=alert_2' },
    { detail: 'Answered with status 500', status: 'resolved', path: '/admin/alerts?open=alert_1' },
  ])
  expect(one('purchase')).toMatchObject({ detail: 'Bakery', path: '/admin/purchases?open=cs_1' })
  expect(one('subscription')).toMatchObject({ detail: 'Starter', path: '/admin/subscriptions?open=sub_2' })
  const invoices = ofKind('invoice', entries)
  expect(invoices.at(-1)).toMatchObject({ detail: 'A-1', path: '/admin/subscriptions?open=sub_1&view=invoices' })
  expect(invoices[1]).toMatchObject({ detail: 'A-2', amount: 700, path: '/admin/payments?customer=cus_1' })
  const refund = ofKind('action', entries).at(-1)
  expect(refund).toMatchObject({ actor: 'Grace', amount: 250, path: '/admin/payments?open=pi_1' })
  // Where the customer is shown, one is already.
  expect(ofKind('action', entries)[1]).toMatchObject({ title: 'Changed the customer Ada', path: null })
  expect(JSON.stringify(entries)).not.toMatch(/secret|Reset your password|Not hers|sealed/)
})

test.each([1, 2, 3, 7, 49, 50, 100])('pages of %i lose and repeat nothing, in both directions', async (limit) => {
  const whole = (await read('limit=100')).entries
  expect(await readAll(`limit=${limit}`)).toEqual(whole)
  expect(await readAll(`limit=${limit}`, 'previous', `limit=${limit}&until=2020-01-01T00:00:00Z`)).toEqual(whole)
})

test('narrows to kinds, on every page', async () => {
  const whole = (await read('limit=100')).entries
  const chosen = whole.filter(({ kind }) => kind === 'invoice' || kind === 'refund')
  expect(await readAll('limit=2&kinds=invoice,refund')).toEqual(chosen)
  expect((await read('kinds=')).entries).toHaveLength(25)
})

test('jumps to a moment and goes on from there in both directions', async () => {
  const whole = (await read('limit=100')).entries
  const at = day('03-20')
  const older = whole.filter((entry) => Date.parse(entry.at) < Date.parse(at))
  const page = await read(`limit=3&until=${at}`)
  expect(page.entries).toEqual(older.slice(0, 3))
  const newer = await read(`limit=3&after=${page.previous}`)
  const above = whole.length - older.length
  expect(newer.entries).toEqual(whole.slice(above - 3, above))
  expect(await readAll('limit=3', 'next', `limit=3&before=${newer.next}`)).toEqual(older)
  expect(await read('limit=3&until=2030-01-01T00:00:00Z')).toMatchObject({
    entries: whole.slice(0, 3),
    previous: null,
  })
  expect(await read('until=2020-01-01T00:00:00Z')).toMatchObject({ entries: [], next: null })
})

test('a page goes on where it was, though the entry at its edge is gone', async () => {
  const { previous } = await read('limit=3&until=2020-01-01T00:00:00Z')
  expect(previous).not.toBeNull()
  const newest = await read('limit=1')
  const empty = await read(`limit=1&after=${newest.next}`)
  expect(empty.entries).toEqual([])
  expect((await read(`limit=1&before=${empty.next}`)).entries).toEqual(newest.entries)
})

test('leaves out what the caller may not read, and says which permission that needs', async () => {
  const kindsFor = async (held: Parameters<ReturnType<typeof request>['as']>[0]) => {
    const page = await read('limit=100', request(t.ctx).as(held))
    return {
      seen: [...new Set(page.entries.map(({ kind }) => kind))].sort(),
      hidden: Object.fromEntries(page.hidden.map(({ kind, permission }) => [kind, permission])),
      actions: titles(ofKind('action', page.entries)),
    }
  }
  const money = ['dispute', 'invoice', 'payment', 'purchase', 'refund', 'subscription']
  const needBilling = Object.fromEntries(money.map((kind) => [kind, 'billing.read']))
  expect(await kindsFor(['customers.read'])).toEqual({
    seen: ['action'],
    hidden: {
      ...needBilling,
      alert: 'sites.read',
      deployment: 'sites.read',
      note: 'support.read',
      mail: 'admin.system',
    },
    actions: ['Changed the customer Ada'],
  })
  expect(await kindsFor('support')).toEqual({
    seen: ['action', 'alert', 'deployment', 'note'],
    hidden: { ...needBilling, mail: 'admin.system' },
    actions: ['Deleted a note about Ada', 'Changed the customer Ada'],
  })
  expect(await kindsFor('admin')).toMatchObject({
    seen: [...money, 'action', 'alert', 'deployment'].sort(),
    hidden: { note: 'support.read', mail: 'admin.system' },
  })
  const asked = await read('kinds=payment,note,mail', request(t.ctx).as(['customers.read']))
  expect(asked.entries).toEqual([])
})

test('a cursor of what one may not read shows nothing more', async () => {
  const { previous } = await read('limit=1&until=2026-11-02T12:00:00Z&kinds=mail')
  const { next } = await read('limit=1&kinds=mail')
  expect([previous, next]).toEqual([null, null])
  const first = await read('limit=1')
  const page = await read(`before=${first.next}`, request(t.ctx).as(['customers.read']))
  expect(titles(page.entries)).toEqual(['Changed the customer Ada'])
})

test('is empty for a customer with whom nothing happened', async () => {
  expect(await read('', all(), '/stripe/customers/cus_2/activity')).toEqual({
    ...{ entries: [], has_more: false, next: null, previous: null, hidden: [] },
  })
  const missing = await all().get('/stripe/customers/cus_none/activity')
  expect(missing.json()).toMatchObject({ status: 404, code: 'not_found' })
})

test('needs customers.read', async () => {
  const answer = await request(t.ctx).as(['billing.read', 'support.read']).get(base)
  expect(answer.statusCode).toBe(403)
})

const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['kinds=payment,party', 'kinds.1'],
  ['until=yesterday', 'until'],
  ['until=0000-01-01T00:00:00Z', 'until'],
  ['before=yesterday', 'before'],
  ['before=', 'before'],
  [`before=${forged('2026-01-01T00:00:00Z', 'nonsense', 'x', false)}`, 'before'],
  [`after=${forged('2026-01-01T00:00:00Z', 'action.customer', "1'; drop table", false)}`, 'after'],
  [`before=${forged('0000-01-01T00:00:00Z', 'payment', 'x', false)}`, 'before'],
  [`after=${forged('infinity', 'payment', 'x', false)}`, 'after'],
  [`until=2026-01-01T00:00:00Z&before=${forged('2026-01-01T00:00:00Z', 'payment', 'x', false)}`, 'until'],
])('refuses %s', async (query, parameter) => {
  const answer = await all().get(`${base}?${query}`)
  expect(answer.json()).toMatchObject({ status: 400, parameter })
})

test('a deployment stays with who had the site, and one that nobody had goes to its first owner', async () => {
  const { pool } = t.ctx
  const site = `site_${'c'.repeat(16)}`
  const deploymentsOf = async (customer: string) => {
    const answer = await request(t.ctx).as('super_admin').get(`/stripe/customers/${customer}/activity?kinds=deployment`)
    return (answer.json() as Page).entries.map(({ id, detail, path, actor }) => [id, detail, path, actor])
  }
  await insertSite(pool, { id: site, name: 'Cove' })
  await insertDeployment(pool, { id: 'dep_early', site, at: day('10-05') })
  expect(await deploymentsOf('cus_2')).toEqual([])
  await pool.query('update sites set customer_id = $2 where id = $1', [site, 'cus_2'])
  await insertDeployment(pool, { id: 'dep_mine', site, at: day('10-06') })
  await pool.query('update sites set customer_id = $2 where id = $1', [site, 'cus_3'])
  await insertDeployment(pool, { id: 'dep_theirs', site, at: day('10-07') })
  expect(await deploymentsOf('cus_2')).toEqual([
    ['deployment:dep_mine', 'Cove · abc1234', '/admin/deployments?open=dep_mine', 'Grace'],
    ['deployment:dep_early', 'Cove · abc1234', '/admin/deployments?open=dep_early', 'Grace'],
  ])
  expect((await deploymentsOf('cus_3')).map(([id]) => id)).toEqual(['deployment:dep_theirs', 'deployment:dep_other'])
})
