import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'

const ofEach = 6000
const limit = 25

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const client = await t.ctx.pool.connect()
  const at = `'2024-01-01'::timestamptz + i * interval '1 hour'`
  const mirrored = `'{}'::jsonb, 1, now(), 'backfill'`
  const numbers = `from generate_series(1, ${ofEach}) i, (values ('cus_busy'), ('cus_other')) c (id)`
  const tables = ['payments', 'refunds', 'disputes', 'invoices', 'checkout_sessions', 'customers']
  await client.query('begin')
  for (const table of [...tables, 'audit_entries']) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`insert into customers (id, email, created_at, raw, fetch_seq, fetched_at, source)
    select id, id || '@mail.example', now(), ${mirrored} from (values ('cus_busy'), ('cus_other')) c (id)`)
  await client.query(`insert into payments (id, customer_id, amount, currency, status, stripe_status, created_at, raw, fetch_seq, fetched_at, source)
    select 'pi_' || c.id || i, c.id, 100, 'usd', 'succeeded', 'succeeded', ${at}, ${mirrored} ${numbers}`)
  await client.query(`insert into refunds (id, payment_id, customer_id, amount, currency, status, created_at, raw, fetch_seq, fetched_at, source)
    select 're_' || c.id || i, 'pi_' || c.id || i, c.id, 100, 'usd', 'succeeded', ${at}, ${mirrored} ${numbers}`)
  await client.query(`insert into disputes (id, payment_id, customer_id, amount, currency, status, reason, created_at, raw, fetch_seq, fetched_at, source)
    select 'dp_' || c.id || i, 'pi_' || c.id || i, c.id, 100, 'usd', 'won', 'general', ${at}, ${mirrored} ${numbers}`)
  await client.query(`insert into invoices (id, number, customer_id, status, amount_due, amount_paid, amount_remaining, currency, attempt_count, created_at, raw, fetch_seq, fetched_at, source)
    select 'in_' || c.id || i, 'N-' || i, c.id, 'paid', 100, 100, 0, 'usd', 1, ${at},
      jsonb_build_object('status_transitions', jsonb_build_object('paid_at', extract(epoch from ${at})::bigint + 60,
        'finalized_at', extract(epoch from ${at})::bigint + 30)), 1, now(), 'backfill' ${numbers}`)
  await client.query(`insert into checkout_sessions (id, customer_id, mode, status, payment_status, created_at, raw, fetch_seq, fetched_at, source)
    select 'cs_' || c.id || i, c.id, 'payment', 'complete', 'paid', ${at}, ${mirrored} ${numbers}`)
  await client.query(`insert into customer_moments (event_id, customer_id, kind, object_id, stories, at)
    select 'evt_' || c.id || i, c.id, case when i % 2 = 0 then 'invoice' else 'subscription' end, 'x', '{sent}', ${at} ${numbers}`)
  await client.query(`insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
    select 'note_' || c.id || i, c.id, 'x', 'user', 'u', 'U', ${at} ${numbers}`)
  await client.query(`insert into mails (id, kind, to_address, subject, sealed_text, state, created_at)
    select 'mail_' || c.id || i, 'x', c.id || '@mail.example', 'x', '', 'sent', ${at} ${numbers}`)
  await client.query(`insert into sites (id, site_name, domain, customer_id, status, created_at, updated_at)
    select 'site_' || lpad(replace(c.id, '_', '0'), 16, '0'), c.id, replace(c.id, '_', '-') || '.example', c.id, 'active', now(), now()
    from (values ('cus_busy'), ('cus_other')) c (id)`)
  await client.query(`insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, queued_at, completed_at)
    select 'dep_' || c.id || i, 'site_' || lpad(replace(c.id, '_', '0'), 16, '0'), 'deploy', 'console', 'success', 'pages', c.id, 'x', ${at}, ${at} ${numbers}`)
  await client.query(`insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at, last_seen_at, resolved_at)
    select 'alert_' || c.id || i, 'site.down', 'site', c.id, c.id, 'error', 'resolved', 'x', 'x', ${at}, ${at}, ${at} ${numbers}`)
  await client.query(`insert into alert_sites (alert_id, site_id, customer_id, opened_at)
    select 'alert_' || c.id || i, 'site_' || lpad(replace(c.id, '_', '0'), 16, '0'), c.id, ${at} ${numbers}`)
  await client.query(`with made as (
      insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type, resource_id)
      select ${at}, 'user', 'u', 'U', 'payment.refund', 'payment', 'pi_' || c.id || i ${numbers} returning *
    ) insert into customer_audit (entry_id, customer_id, resource_type, at)
    select id, case when resource_id like 'pi_cus_busy%' then 'cus_busy' else 'cus_other' end, resource_type, at from made`)
  for (const table of [...tables, 'audit_entries']) await client.query(`alter table ${table} enable trigger user`)
  await client.query('commit')
  await client.query('vacuum analyze')
  client.release()
})
afterAll(() => t.close())
afterEach(() => vi.restoreAllMocks())

type Node = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

const path = '/stripe/customers/cus_busy/activity'
const caller = () => request(t.ctx).as('super_admin')

/** Rows that were taken from tables and indexes, also those that were thrown away. */
const rowsRead = (node: Node): number =>
  (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0) +
  (/Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Subquery Scan'
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0)

async function planOf(query: string): Promise<Node> {
  const asked = vi.spyOn(t.ctx.pool, 'query')
  const response = await caller().get(`${path}?limit=${limit}${query}`)
  expect(response.json().entries).toHaveLength(limit)
  const [statement] = asked.mock.calls.flat() as unknown[] as { text: string; values: unknown[] }[]
  if (!statement) throw new Error('nothing was asked')
  asked.mockRestore()
  const { rows } = await t.ctx.pool.query(
    `explain (analyze, timing off, format json) ${statement.text}`,
    statement.values,
  )
  return rows[0]['QUERY PLAN'][0].Plan
}

test('a page reads a page of each source, wherever it is, of a customer with tens of thousands of entries', async () => {
  const middle = 'until=2024-05-01T00:00:00Z'
  const { next, previous } = (await caller().get(`${path}?limit=${limit}&${middle}`)).json()
  const most = (limit + 1) * 40
  for (const query of ['', `&${middle}`, `&before=${next}`, `&after=${previous}`, '&kinds=payment,refund'])
    expect(rowsRead(await planOf(query)), query).toBeLessThan(most)
})
