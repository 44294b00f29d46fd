import type { Pool } from 'pg'

// Rows of the mirror as a test wants them; what it does not care about is filled in.
type Row = Record<string, unknown>

const mirrored = { raw: '{}', fetch_seq: 1, fetched_at: '2026-11-21T09:00:00Z', source: 'backfill' }
const since = '2026-01-01T00:00:00Z'

const defaults = {
  stripe_accounts: {
    name: 'Agency',
    default_currency: 'usd',
    livemode: false,
    raw: '{}',
    fetch_seq: 1,
    fetched_at: since,
  },
  products: { ...mirrored, active: true, created_at: since },
  prices: {
    ...mirrored,
    ...{ active: true, currency: 'usd', type: 'recurring', interval: 'month', interval_count: 1 },
    ...{ usage_type: 'licensed', billing_scheme: 'per_unit', created_at: since },
  },
  coupons: { ...mirrored, duration: 'forever', created_at: since },
  customers: { ...mirrored, created_at: since },
  subscriptions: {
    ...mirrored,
    ...{
      status: 'active',
      stripe_status: 'active',
      currency: 'usd',
      amount: 0,
      billing_period: 'monthly',
      created_at: since,
    },
  },
  payments: {
    ...mirrored,
    ...{ amount: 1000, currency: 'usd', status: 'succeeded', stripe_status: 'succeeded', created_at: since },
  },
  charges: {
    ...mirrored,
    ...{
      amount: 1000,
      amount_captured: 1000,
      amount_refunded: 0,
      currency: 'usd',
      status: 'succeeded',
      created_at: since,
    },
  },
  refunds: { ...mirrored, amount: 100, currency: 'usd', status: 'succeeded', created_at: since },
  disputes: {
    ...mirrored,
    amount: 1000,
    currency: 'usd',
    status: 'needs_response',
    reason: 'general',
    created_at: since,
  },
  invoices: {
    ...mirrored,
    ...{ status: 'paid', amount_due: 1000, amount_paid: 1000, amount_remaining: 0, currency: 'usd' },
    ...{ attempt_count: 1, created_at: since },
  },
  invoice_payments: { ...mirrored, status: 'paid', currency: 'usd', created_at: since },
  checkout_sessions: {
    ...mirrored,
    ...{ mode: 'payment', status: 'complete', payment_status: 'paid', amount_total: 1000, currency: 'usd' },
    created_at: since,
  },
  money_actions: {
    ...{ payload: '{}', payload_hash: '', state: 'started', actor_type: 'user', actor_id: 'u', actor_name: 'U' },
    created_at: since,
  },
  audit_entries: { at: since, actor_type: 'user', actor_id: 'u', actor_name: 'U' },
} satisfies Record<string, Row>

const perStatement = 500

export async function insertRows(pool: Pool, table: keyof typeof defaults, rows: readonly Row[]): Promise<void> {
  const complete = rows.map((row): Row => ({ ...defaults[table], ...row }))
  const columns = [...new Set(complete.flatMap((row) => Object.keys(row)))]
  for (let start = 0; start < complete.length; start += perStatement) {
    const batch = complete.slice(start, start + perStatement)
    const values: unknown[] = []
    const lines = batch.map((row) => `(${columns.map((column) => place(values, row, column)).join(', ')})`)
    await pool.query(`insert into ${table} (${columns.join(', ')}) values ${lines.join(', ')}`, values)
  }
}

function place(values: unknown[], row: Row, column: string): string {
  if (row[column] === undefined) return 'default'
  const value = row[column]
  values.push(typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value)
  return `$${values.length}`
}
