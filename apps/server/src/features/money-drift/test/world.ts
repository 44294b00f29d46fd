import type { Pool } from 'pg'
import { insertRows } from '../../../../test/rows.ts'
import { drifts } from './drifts.ts'
import { innocents } from './innocents.ts'
import { ago, connection, hours, now, Part } from './part.ts'

/** Stripe was imported, and the zones were read. */
export async function addSources(pool: Pool): Promise<void> {
  await insertRows(pool, 'stripe_accounts', [{ id: 'acct_1' }])
  await pool.query(
    `insert into mirror_imports (id, state, reason, started_at, finished_at) values ('imp_1', 'done', 'test', $1, $1)`,
    [hours(1)],
  )
  await pool.query('insert into domain_lists (connection, fetched_at) values ($1, $2)', [connection, ago(300_000)])
}

export const makePart = (pool: Pool, name: string, n: number): Promise<void> => {
  const make = drifts[name]?.make ?? innocents[name]
  if (!make) throw new Error(`There is no ${name}`)
  return make(new Part(pool, n))
}

export async function clearParts(pool: Pool): Promise<void> {
  await pool.query(`truncate customers, subscriptions, payments, refunds, invoices, invoice_payments, checkout_sessions,
    domains, registered_domains, site_registrations, sites, site_probe_states, deployments, site_suspensions,
    maintenance_windows, maintenance_sites, money_drift, money_drift_dismissals cascade`)
  // One that is nobody's matter: before the first site, zones are not judged.
  await pool.query(`insert into sites (id, site_name, domain, status, created_at, updated_at)
    values ('site_waiting000000000', 'Waiting', 'waiting.test', 'pending', '${now}', '${now}')`)
}
