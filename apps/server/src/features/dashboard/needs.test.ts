import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertDeployment, insertSite } from '../../../test/deployment-rows.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

const now = '2026-11-21T12:00:00Z'
const dayMs = 86_400_000
const days = (count: number) => new Date(Date.parse(now) + count * dayMs).toISOString()
const site = (letter: string) => `site_${letter.repeat(16)}`

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now })
  await insertRows(t.ctx.pool, 'stripe_accounts', [{ id: 'acct_1' }])
})
afterAll(() => t.close())
afterEach(() =>
  t.ctx.pool.query(`truncate customers, subscriptions, payments, invoices, invoice_payments, checkout_sessions, sites,
    site_probe_states, deployments, registered_domains, site_registrations, money_drift, incidents, alerts, alert_sites cascade`),
)

const sql = (text: string) => t.ctx.pool.query(text)
const needs = async (caller = request(t.ctx).as('super_admin')) => (await caller.get('/dashboard/needs')).json()

async function customer(n: number, mrr: number, more: Record<string, unknown> = {}): Promise<string> {
  await insertRows(t.ctx.pool, 'customers', [{ id: `cus_${n}`, name: `Customer ${n}` }])
  await insertRows(t.ctx.pool, 'subscriptions', [
    { id: `sub_${n}`, customer_id: `cus_${n}`, mrr, mrr_running: mrr, amount: mrr, plan_nickname: 'Care', ...more },
  ])
  return `cus_${n}`
}

const invoice = (n: number, amount: number, more: Record<string, unknown> = {}) =>
  insertRows(t.ctx.pool, 'invoices', [
    {
      ...{ id: `in_${n}`, number: `A-${n}`, customer_id: `cus_${n}`, subscription_id: `sub_${n}`, status: 'open' },
      ...{ amount_due: amount, amount_paid: 0, amount_remaining: amount, created_at: days(-5), ...more },
    },
  ])

const siteOf = (letter: string, owner: string | null) =>
  insertSite(t.ctx.pool, { id: site(letter), name: `Shop ${letter}`, customer: owner, createdAt: days(-100) })

async function everything(): Promise<void> {
  const pastDue = { status: 'past_due', stripe_status: 'past_due' }
  await customer(1, 4900, pastDue)
  await invoice(1, 8000, { raw: { next_payment_attempt: Date.parse(days(2)) / 1000 } })
  await customer(2, 9900)
  await invoice(2, 700)
  await customer(3, 6000)
  await siteOf('a', 'cus_3')
  await sql(`update sites set ssl_status = 'active', ssl_expires_at = '${days(5)}' where id = '${site('a')}'`)
  await customer(4, 5000)
  await siteOf('b', 'cus_4')
  await insertDeployment(t.ctx.pool, { id: 'dep_1', site: site('b'), at: days(-1), status: 'failed' })
  await customer(5, 4000)
  await siteOf('c', 'cus_5')
  await sql(
    `insert into registered_domains (domain, expires_at, checked_at, next_at) values ('c.example', '${days(9)}', '${now}', '${now}')`,
  )
  await sql(`insert into site_registrations (site_id, host, domain, next_at)
    select id, domain, 'c.example', '${now}' from sites where id = '${site('c')}'`)
  await insertRows(t.ctx.pool, 'checkout_sessions', [
    { id: 'cs_1', metadata: { site_name: 'Harbour Café' }, amount_total: 3000, created_at: days(-3) },
    { id: 'cs_2', metadata: { site_name: 'Done', production_url: 'https://done.example' }, created_at: days(-9) },
  ])
  await sql(
    `insert into incidents (id, severity, status, title, opened_at) values ('inc_1', 'sev3', 'open', 'Shop d is down', '${days(-0.1)}')`,
  )
  await customer(6, 7000)
  await siteOf('d', 'cus_6')
  await sql(`insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at, last_seen_at, incident_id, mrr_at_risk)
    values ('al_1', 'site.down', 'site', '${site('d')}', 'Shop d', 'error', 'open', 'Shop d is down', '', '${now}', '${now}', 'inc_1', 7000)`)
  await sql(`insert into alert_sites (alert_id, site_id, opened_at) values ('al_1', '${site('d')}', '${now}')`)
  await sql(`insert into money_drift (id, class, variant, subject_name, site_id, since, money, money_order, evidence, repairs, facts, found_at) values
    ('ended:x', 'ended', 'cancelled', 'Shop x', null, '${days(-4)}', '[{"amount":2000,"currency":"usd"}]', 2000, '[{"text":"x.example answers"}]', '[]', 'f', '${now}'),
    ('undelivered:d', 'undelivered', 'down', 'Shop d', '${site('d')}', '${days(-4)}', '[{"amount":7000,"currency":"usd"}]', 7000, '[]', '[]', 'f', '${now}'),
    ('domain:c.example', 'domain', 'expiring', 'c.example', null, '${days(-4)}', '[{"amount":4000,"currency":"usd"}]', 4000, '[]', '[]', 'f', '${now}'),
    ('undelivered:cs_1', 'undelivered', 'no_site', 'Harbour Café', null, '${days(-4)}', '[]', 0, '[]', '[]', 'f', '${now}')`)
}

test('lists what needs somebody, the most money first, each thing once, with where it is dealt with', async () => {
  await everything()
  const { needs: all, sources, as_of: asOf } = await needs()
  expect(
    all.map(({ kind, title, money }: { kind: string; title: string; money: { amount: number }[] }) => [
      kind,
      title,
      money[0]?.amount,
    ]),
  ).toEqual([
    ['past_due', 'Customer 1', 8000],
    ['incident', 'Shop d is down', 7000],
    ['certificate', 'Shop a', 6000],
    ['deployment', 'Shop b', 5000],
    ['domain', 'c.example', 4000],
    ['purchase', 'Harbour Café', 3000],
    ['drift', 'Shop x', 2000],
    ['failed_payment', 'Customer 2', 700],
  ])
  expect(all.map(({ detail, link }: { detail: string; link: string }) => [detail, link])).toEqual([
    ['Care · next try in 2 days', '/admin/subscriptions?open=sub_1'],
    ['INC-1 · SEV3 · 1 site', '/admin/incidents/inc_1'],
    ['Expires in 5 days', `/admin/sites?open=${site('a')}`],
    [null, '/admin/deployments?open=dep_1&view=log'],
    ['Expires in 9 days', `/admin/sites?open=${site('c')}`],
    [null, '/admin/purchase-reset?search=cs_1'],
    ['x.example answers', '/admin/monitoring/drift?open=ended%3Ax'],
    ['Invoice A-2', '/admin/customers?open=cus_2&tab=invoices'],
  ])
  expect(sources.map(({ kind, ok }: { kind: string; ok: boolean }) => [kind, ok])).toEqual(
    ['incident', 'past_due', 'failed_payment', 'domain', 'certificate', 'deployment', 'purchase', 'drift'].map(
      (kind) => [kind, true],
    ),
  )
  expect(asOf).toBe('2026-11-21T12:00:00.000Z')
})

test('what is paid, deployed, renewed, refunded or dismissed needs nobody', async () => {
  await everything()
  await sql(`update subscriptions set status = 'active'`)
  await sql(`update invoices set status = 'paid', amount_remaining = 0`)
  await sql(`update sites set ssl_expires_at = '${days(80)}'`)
  await insertDeployment(t.ctx.pool, { id: 'dep_2', site: site('b'), at: days(-0.5) })
  await sql(`update registered_domains set expires_at = '${days(300)}'`)
  await sql(
    `update checkout_sessions set metadata = '{"site_name":"Harbour Café","production_url":"https://h.example"}'`,
  )
  await sql(`update incidents set status = 'resolved', resolved_at = now()`)
  await sql("delete from money_drift where id <> 'ended:x'")
  await sql(`insert into money_drift_dismissals values ('ended:x', 'f', 'Ours', '${days(3)}', '${now}', 'Grace')`)
  expect(await needs()).toMatchObject({ needs: [], sources: Array.from({ length: 8 }, () => ({ ok: true, total: 0 })) })
  await sql('truncate money_drift_dismissals')
})

test('a single payment that failed is told until one like it is made', async () => {
  await customer(1, 4900)
  const payment = { customer_id: 'cus_1', amount: 2500 }
  await insertRows(t.ctx.pool, 'payments', [
    {
      ...{ ...payment, id: 'pi_1', status: 'failed', stripe_status: 'requires_payment_method', created_at: days(-3) },
      ...{ counts_as_failed: true, failure_message: 'Your card was declined.' },
    },
  ])
  expect((await needs()).needs).toMatchObject([
    {
      kind: 'failed_payment',
      title: 'Customer 1',
      detail: "The customer's card was declined by the bank",
      link: '/admin/payments?open=pi_1',
    },
  ])
  await insertRows(t.ctx.pool, 'payments', [{ ...payment, id: 'pi_2', created_at: days(-2) }])
  expect((await needs()).needs).toEqual([])
})

test('orders currencies by their units, not by the size of their minor units', async () => {
  const pastDue = { status: 'past_due', stripe_status: 'past_due' }
  await customer(1, 5000, pastDue)
  await customer(2, 4000, { ...pastDue, currency: 'jpy' })
  await customer(3, 300_000, { ...pastDue, currency: 'kwd' })
  expect((await needs()).needs.map(({ id }: { id: string }) => id)).toEqual(['sub_2', 'sub_3', 'sub_1'])
})

test('shows only what the permissions allow, and no money without that of money', async () => {
  await everything()
  const support = await needs(request(t.ctx).as('support'))
  expect(support.sources.map(({ kind }: { kind: string }) => kind)).toEqual([
    'incident',
    'domain',
    'certificate',
    'deployment',
    'drift',
  ])
  expect(support.needs.every(({ money }: { money: unknown }) => money === null)).toBe(true)
  expect(JSON.stringify(support)).not.toMatch(/amount|4900|7000/)
  const billing = await needs(request(t.ctx).as(['billing.read']))
  expect(billing.sources.map(({ kind }: { kind: string }) => kind)).toEqual(['past_due', 'failed_payment', 'purchase'])
  expect(await needs(request(t.ctx).as('readonly'))).toMatchObject({ needs: [], sources: [] })
  expect((await request(t.ctx).anonymous().get('/dashboard/needs')).statusCode).toBe(401)
})

test('a source that fails says so, and the others stand', async () => {
  await everything()
  await sql('alter table registered_domains rename to registered_domains_away')
  const { needs: all, sources } = await needs()
  await sql('alter table registered_domains_away rename to registered_domains')
  expect(sources.find(({ kind }: { kind: string }) => kind === 'domain')).toEqual({
    ...{ kind: 'domain', ok: false, code: 'internal', error: 'Could not be loaded' },
  })
  // Told by the source that is left.
  expect(all.find(({ title }: { title: string }) => title === 'c.example')).toMatchObject({ kind: 'drift' })
  expect(all).toHaveLength(8)
})
