import type { PurchasedSite, PurchaseReset } from '@agency/contract/types'
import type { TestContext } from '../../../../test/context.ts'
import { request } from '../../../../test/request.ts'
import { insertRows } from '../../../../test/rows.ts'

export const now = '2026-11-21T12:00:00Z'
export const dayMs = 86_400_000

export const harbour = {
  site_id: 'site_h',
  site_name: 'Harbour Bakery',
  business_name: 'Harbour Bakery LLC',
  selected_domains: 'harbour.example, bakery.example',
  hosting_years: '2',
  production_url: 'https://harbour.example',
}
export const originalData = {
  timestamp: '2026-11-20T12:00:00Z',
  customerEmail: 'ada@example.com',
  customerName: 'Ada Lovelace',
  businessName: 'Harbour Bakery LLC',
  amount: 4000,
  currency: 'usd',
  selectedDomains: ['harbour.example', 'bakery.example'],
  hostingYears: 2,
  stripeSessionId: 'cs_1',
}
type Row = Record<string, unknown>
export const resetOf = (response: { json(): { reset: PurchaseReset } }): PurchaseReset => response.json().reset

export type SitePage = { sites: PurchasedSite[]; has_more: boolean; total: number }
export type ResetPage = { resets: PurchaseReset[]; has_more: boolean; total: number }
type Caller = ReturnType<ReturnType<typeof request>['as']>

const tables =
  'checkout_sessions, payments, customers, products, subscriptions, money_actions, sla_credits, stripe_accounts'

/** What the tests of resets do with a shop. */
export function shopOf(t: TestContext) {
  const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)
  // Nothing empties the audit log.
  let audited = '0'
  const root: Caller = request(t.ctx).as('super_admin')
  async function insert(table: Parameters<typeof insertRows>[1], ...rows: Row[]): Promise<void> {
    await insertRows(t.ctx.pool, table, rows)
    t.ctx.changes.tell('purchases')
  }
  return {
    sql,
    root,
    /** The history is append-only, so that only a test without its triggers can begin anew. */
    empty: async () => {
      await sql(`truncate ${tables}`)
      await sql('alter table purchase_resets disable trigger user')
      await sql('truncate purchase_resets, reset_purchases, idempotency_keys')
      await sql('alter table purchase_resets enable trigger user')
      t.ctx.changes.tell('purchases')
      audited = (await sql('select coalesce(max(id), 0)::text as id from audit_entries')).rows[0].id
    },
    insert,
    /** One purchase that says everything. */
    buyHarbour: (row: Row = {}) =>
      insert('checkout_sessions', {
        ...{ id: 'cs_1', created_at: '2026-11-20T12:00:00Z', amount_total: 4000, customer_email: 'ada@example.com' },
        metadata: harbour,
        raw: { livemode: false, customer_details: { name: 'Ada Lovelace' } },
        ...row,
      }),
    /** Purchases in test mode, paid a day ago. */
    buy: (...rows: Row[]) =>
      insert(
        'checkout_sessions',
        ...rows.map((row) => ({ created_at: '2026-11-20T12:00:00Z', raw: { livemode: false }, ...row })),
      ),
    siteIds: async (): Promise<string[]> =>
      (await root.get('/v1/admin/purchased-sites')).json().sites.map((site: PurchasedSite) => site.id),
    sites: async (query = ''): Promise<SitePage> => (await root.get(`/v1/admin/purchased-sites${query}`)).json(),
    history: async (query = ''): Promise<ResetPage> => (await root.get(`/v1/admin/purchase-resets${query}`)).json(),
    reset: (id: string, body?: object, key?: string, as: Caller = root) =>
      as.post(`/v1/admin/purchases/${id}/reset`, body, key === undefined ? {} : { 'idempotency-key': key }),
    bulk: (purchaseIds: unknown, more: object = {}, key?: string, as: Caller = root) =>
      as.post(
        '/v1/admin/purchase-resets',
        { purchaseIds, ...more },
        key === undefined ? {} : { 'idempotency-key': key },
      ),
    undo: (id: string, body?: object, key?: string, as: Caller = root) =>
      as.post(`/v1/admin/purchase-resets/${id}/undo`, body, key === undefined ? {} : { 'idempotency-key': key }),
    audit: async () => {
      const { rows } = await sql(
        `select action, resource_id, before, after from audit_entries
        where action like 'purchase.%' and id > $1 order by id`,
        [audited],
      )
      return rows as { action: string; resource_id: string; before: Row; after: Row }[]
    },
    /** Everything that a refusal must leave as it was. */
    state: async () => {
      const all = [
        'purchase_resets',
        'reset_purchases',
        // Whose a key is stays known, also when what was asked under it is refused.
        '(select * from idempotency_keys where subject is not null) as bound',
        'audit_entries',
        'checkout_sessions',
      ]
      return Promise.all(all.map(async (table) => (await sql(`select * from ${table} order by 1`)).rows))
    },
  }
}
