import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'

// Revenue at risk equals a table that was computed by hand.
const now = Date.parse('2026-11-21T12:00:00Z')
const days = (count: number) => new Date(now + count * 86_400_000)
let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ now: new Date(now).toISOString() })
  root = request(t.ctx).as('super_admin')
})
afterAll(() => t?.close())

type Sub = {
  customer: string
  currency: string
  amount: number
  mrr: number
  ends: number
  [column: string]: unknown
}

const subscription = ({ customer, ends, ...columns }: Sub, index: number) => ({
  ...{
    id: `sub_${index}`,
    customer_id: customer,
    current_period_start: days(ends - 30),
    current_period_end: days(ends),
  },
  ...columns,
})

const subscriptions: Sub[] = [
  // Shared by two affected sites: counted once. Renews within 7 days.
  { customer: 'cus_shared', currency: 'usd', amount: 4900, mrr: 4900, ends: 3 },
  // A second one of the same customer, yearly: 1/12 a month; renews within 30 days, not 7.
  { customer: 'cus_shared', currency: 'usd', amount: 120_000, mrr: 10_000, ends: 20 },
  // Exactly on the borders.
  { customer: 'cus_border', currency: 'usd', amount: 1000, mrr: 1000, ends: 7 },
  { customer: 'cus_border', currency: 'usd', amount: 2000, mrr: 2000, ends: 30 },
  // Just beyond both: MRR alone.
  { customer: 'cus_border', currency: 'usd', amount: 3000, mrr: 3000, ends: 31 },
  // Another currency.
  { customer: 'cus_euro', currency: 'eur', amount: 7900, mrr: 7900, ends: 5 },
  // Ends with its period: its MRR is at risk, a renewal is not due.
  { customer: 'cus_euro', currency: 'eur', amount: 500, mrr: 500, ends: 6, cancel_at_period_end: true },
  // Paused: it renews nothing.
  { customer: 'cus_euro', currency: 'eur', amount: 600, mrr: 0, ends: 6, pause_collection: 'void' },
  // Over: nothing.
  {
    customer: 'cus_euro',
    currency: 'eur',
    amount: 900,
    mrr: 0,
    ends: 2,
    status: 'cancelled',
    stripe_status: 'canceled',
  },
  // Of somebody whose sites are well.
  { customer: 'cus_well', currency: 'usd', amount: 99_900, mrr: 99_900, ends: 1 },
]

/** currency, a month, due within 7 days, due within 30 days. */
const byHand = [
  // 4900 + 10 000 + 1000 + 2000 + 3000; 4900 + 1000; and 120 000 + 2000 more.
  { currency: 'usd', mrr: 20_900, renewals_7d: 5900, renewals_30d: 127_900 },
  // 7900 + 500; 7900; 7900.
  { currency: 'eur', mrr: 8400, renewals_7d: 7900, renewals_30d: 7900 },
]

test('each customer once, by currency, with what renews in 7 and in 30 days', async () => {
  const customers = ['cus_shared', 'cus_border', 'cus_euro', 'cus_well']
  await insertRows(
    t.ctx.pool,
    'customers',
    customers.map((id) => ({ id, name: id, email: `${id}@example.com` })),
  )
  await insertRows(t.ctx.pool, 'subscriptions', subscriptions.map(subscription))
  const { incident } = (await root.post('/incidents', { title: 'Cloud is down', severity: 'sev2' })).json()
  await t.ctx.pool.query(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
       last_seen_at, incident_id)
     values ('al_1', 'sites.common_cause', 'sites', 'all', 'Sites', 'error', 'open', 'Down', '', $1, $1, $2)`,
    [new Date(now), incident.id],
  )
  const owners = ['cus_shared', 'cus_shared', 'cus_border', 'cus_euro', null]
  for (const owner of owners) {
    const site = await makeSite(root)
    await t.ctx.pool.query('update sites set customer_id = $2 where id = $1', [site.id, owner])
    await t.ctx.pool.query(
      `insert into alert_sites (alert_id, site_id, opened_at) select id, $1, opened_at from alerts where id = 'al_1'`,
      [site.id],
    )
  }
  const shown = (await root.get(`/incidents/${incident.id}`)).json().incident
  expect(shown).toMatchObject({ affected_sites: 5, affected_customers: 3, at_risk: byHand })
  const { alerts } = (await root.get('/alerts')).json()
  expect(alerts[0].at_risk).toEqual(byHand)
  const withoutMoney = await request(t.ctx).as('support').get(`/incidents/${incident.id}`)
  expect(withoutMoney.json().incident.at_risk).toBeNull()
})
