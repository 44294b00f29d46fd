import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import type { ProviderAccount } from '../../../integrations/stripe/gateway.ts'
import { toJson } from '../../../platform/json.ts'
import { mirrorTables } from '../tables.ts'

type Db = Kysely<DB>

export function findAccount(db: Db): Promise<{ id: string; livemode: boolean; default_currency: string } | undefined> {
  return db
    .selectFrom('stripe_accounts')
    .select(['id', 'livemode', 'default_currency'])
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function upsertAccount(
  db: Db,
  account: ProviderAccount,
  fetch: { livemode: boolean; fetchSeq: number; fetchedAt: Date },
): Promise<void> {
  const columns = {
    name: account.name,
    default_currency: account.defaultCurrency,
    livemode: fetch.livemode,
    raw: toJson(account.raw),
    fetch_seq: fetch.fetchSeq,
    fetched_at: fetch.fetchedAt,
  }
  await db
    .insertInto('stripe_accounts')
    .values({ id: account.id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}

const totals = [
  'daily_revenue',
  'payment_totals',
  'customer_totals',
  'subscription_totals',
  'daily_subscriptions',
  'customer_counts',
  'daily_customers',
  'mrr_changes',
  'mrr_movements',
  'mrr_hours',
  'mrr_days',
  'invoice_terms',
  'customer_cards',
  'revenue_hours',
  'revenue_days',
  'segment_hours',
  'segment_days',
  'balance_hours',
  'balance_days',
]
const keeping = [
  'stripe_accounts',
  'mirror_tombstones',
  'unreadable_objects',
  'webhook_events',
  'mirror_import_steps',
  'mirror_imports',
  'drift_rows',
  'drift_reports',
]

/** Forgets everything that was mirrored. A table of others that refers to it stops this, rather than losing its rows. */
export async function emptyMirror(db: Db): Promise<void> {
  const names = [...Object.values(mirrorTables).map((table) => table.name), ...totals, ...keeping]
  await sql`truncate ${sql.join(names.map((name) => sql.table(name)))}`.execute(db)
  for (const topic of ['customers', 'subscriptions', 'payments', 'invoices', 'plans', 'mirror']) {
    await sql`select pg_notify('changes', ${topic})`.execute(db)
  }
}
