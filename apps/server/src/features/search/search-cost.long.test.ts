import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'

const customers = 20_000
const payments = 80_000
const large = [
  'customers',
  'customer_search',
  'subscriptions',
  'payments',
  'payment_descriptions',
  'invoices',
  'checkout_sessions',
  'deployments',
]

const written = ['customers', 'subscriptions', 'payments', 'invoices', 'checkout_sessions']

let t: TestContext
beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const client = await t.ctx.pool.connect()
  const at = `'2020-01-01'::timestamptz + i * interval '1 minute'`
  const mirrored = `'{}'::jsonb, 1, now(), 'backfill'`
  await client.query('begin')
  for (const table of written) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`
    insert into customers (id, name, email, company, created_at, raw, fetch_seq, fetched_at, source)
    select 'cus_' || lpad(i::text, 14, '0'), (array['Anna', 'Bert', 'Carla', 'Дмитрий', '東京都 花屋'])[1 + i % 5] || ' ' || md5(i::text),
      md5('mail' || i) || '@mail.example', case when i < 50 then 'Rarest Company' else 'Company ' || i % 900 end, ${at}, ${mirrored}
    from generate_series(1, ${customers}) i`)
  await client.query(`insert into products (id, name, active, created_at, raw, fetch_seq, fetched_at, source)
    select 'prod_' || i, 'Plan ' || i, true, ${at}, ${mirrored} from generate_series(1, 3) i`)
  await client.query(`
    insert into subscriptions (id, customer_id, product_id, status, stripe_status, currency, amount, billing_period, created_at,
      raw, fetch_seq, fetched_at, source)
    select 'sub_' || lpad(i::text, 14, '0'), 'cus_' || lpad((i * 2)::text, 14, '0'), 'prod_' || 1 + i % 3, 'active', 'active',
      'usd', 4900, 'monthly', ${at}, ${mirrored}
    from generate_series(1, ${customers / 2}) i`)
  await client.query(`
    insert into payments (id, customer_id, amount, currency, status, stripe_status, description, created_at, latest_charge_id,
      raw, fetch_seq, fetched_at, source)
    select 'pi_' || lpad(i::text, 14, '0'), 'cus_' || lpad((1 + i % ${customers})::text, 14, '0'), 4900, 'usd', 'succeeded',
      'succeeded', case when i % 20000 = 7 then 'Rare relocation ' || i when i % 3 = 0 then 'Order ' || i else 'Subscription update' end,
      ${at}, 'ch_' || lpad(i::text, 14, '0'), ${mirrored}
    from generate_series(1, ${payments}) i`)
  await client.query(`
    insert into invoices (id, number, customer_id, status, amount_due, amount_paid, amount_remaining, currency, attempt_count, created_at,
      raw, fetch_seq, fetched_at, source)
    select 'in_' || lpad(i::text, 14, '0'), 'AGENCY-' || lpad(i::text, 6, '0'), 'cus_' || lpad((1 + i % ${customers})::text, 14, '0'), 'paid',
      4900, 4900, 0, 'usd', 1, ${at}, ${mirrored}
    from generate_series(1, ${customers}) i`)
  await client.query(`
    insert into checkout_sessions (id, mode, status, payment_status, customer_email, metadata, created_at, raw, fetch_seq, fetched_at, source)
    select 'cs_' || lpad(i::text, 14, '0'), 'payment', 'complete', 'paid', md5('buyer' || i) || '@mail.example',
      jsonb_build_object('site_name', case when i % 5000 = 7 then 'Rarest bakery' else 'Site of ' || md5(i::text) end), ${at}, ${mirrored}
    from generate_series(1, ${customers}) i`)
  await client.query(`
    insert into sites (id, site_name, domain, status, created_at, updated_at)
    select 'site_' || lpad(i::text, 16, '0'), 'Shop ' || md5(i::text), 'shop' || i || '.example', 'active', ${at}, ${at}
    from generate_series(1, 1000) i`)
  await client.query(`
    insert into deployments (id, site_id, kind, origin, status, provider, lane, same_as, version, commit_message, queued_at, completed_at)
    select 'dep_' || lpad(i::text, 16, '0'), 'site_' || lpad((1 + i % 1000)::text, 16, '0'), 'deploy', 'console', 'success', 'pages',
      'pages:' || i % 1000, 'x', substr(md5('v' || i), 1, 7), case when i = 77 then 'Mend the rarest bug' else 'Change ' || md5('c' || i) end, ${at}, ${at}
    from generate_series(1, 40000) i`)
  await client.query(`insert into subscription_totals (product_id, status, currency)
    select id, 'active', 'usd' from products on conflict do nothing`)
  await client.query('select write_customer_search(array(select id from customers))')
  await client.query(`insert into payment_descriptions (hash, doc)
    select distinct on (1) hashtextextended(description, 0), search_fold(description) from payments`)
  for (const table of written) await client.query(`alter table ${table} enable trigger user`)
  await client.query('commit')
  await client.query('vacuum analyze')
  client.release()
})
afterAll(() => t.close())
afterEach(() => vi.restoreAllMocks())

type Node = {
  'Node Type': string
  'Actual Loops': number
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Node[]
}

/** The one statement of a search, as the database carries it out. */
async function planOf(term: string): Promise<Node> {
  const asked = vi.spyOn(t.ctx.pool, 'query')
  await request(t.ctx)
    .as('super_admin')
    .get(`/search?q=${encodeURIComponent(term)}`)
  const [statement] = asked.mock.calls.flat() as unknown[] as { text: string; values: unknown[] }[]
  if (!statement) throw new Error('nothing was asked')
  asked.mockRestore()
  const { rows } = await t.ctx.pool.query(
    `explain (analyze, timing off, format json) ${statement.text}`,
    statement.values,
  )
  return rows[0]['QUERY PLAN'][0].Plan
}

/** What was planned for the case that a term is rare, and was not needed, does not count. */
const scannedWhole = (node: Node): string[] => [
  ...(node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0 && large.includes(node['Relation Name'] ?? '')
    ? [node['Relation Name'] ?? '']
    : []),
  ...(node.Plans ?? []).flatMap(scannedWhole),
]

test.each([
  // In every name, email or description, in few, in none.
  ...['anna', 'mail.example', 'subscription', 'order 799', 'plan 2', 'rarest', 'relocation', 'a7f3', 'nothing like it'],
  ...['xyz', 'ann ber', 'anna '.repeat(30)],
  ...['cus_00000000012345', 'sub_00000000012345', 'pi_00000000012345', 'ch_00000000012345', 'in_00000000012345'],
  ...['cus_0000', 'sub_0000', 'pi_0000', 'in_0000', 'cs_0000'],
  ...['cs_00000000012345', 'agency-0', 'agency-012345', 'bakery'],
  ...['shop', 'change', 'rarest bug', 'dep_0000000000012345', 'dep_00', 'site_0000000000000012'],
])('a search for %j is served by indexes', async (term) => {
  expect(scannedWhole(await planOf(term))).toEqual([])
})

test('purchases are found by an index in every script', async () => {
  expect(scannedWhole(await planOf('パン屋'))).not.toContain('checkout_sessions')
})

/** Rows that were taken from tables, also those that were thrown away. */
const rowsRead = (node: Node): number =>
  (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0) +
  (node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0)

// In the company of every customer and in nobody's name; in the number of every invoice; in every name of a site.
test.each(['company', 'agency-', 'site of'])('a search for %j, which is everywhere, reads few rows', async (term) => {
  expect(rowsRead(await planOf(term))).toBeLessThan(customers / 4)
})
