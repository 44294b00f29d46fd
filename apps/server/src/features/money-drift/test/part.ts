import type { Pool } from 'pg'
import { insertRows } from '../../../../test/rows.ts'

export const now = '2026-11-21T12:00:00Z'
export const connection = 'cloudflare_test'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const ago = (ms: number): string => new Date(Date.parse(now) - ms).toISOString()
export const days = (count: number) => ago(count * dayMs)
export const hours = (count: number) => ago(count * hourMs)

/** One thing of its own, with all that belongs to it. */
export class Part {
  readonly pool: Pool
  readonly n: number
  constructor(pool: Pool, n: number) {
    this.pool = pool
    this.n = n
  }

  get customer(): string {
    return `cus_${this.n}`
  }
  get site(): string {
    return `site_${String(this.n).padStart(16, '0')}`
  }
  get domain(): string {
    return `shop-${this.n}.example`
  }

  async addCustomer(more: Record<string, unknown> = {}): Promise<void> {
    await insertRows(this.pool, 'customers', [{ id: this.customer, name: `Customer ${this.n}`, ...more }])
  }

  async addSubscription(more: Record<string, unknown> = {}): Promise<void> {
    await insertRows(this.pool, 'subscriptions', [
      {
        ...{ id: `sub_${this.n}`, customer_id: this.customer, amount: 4900, mrr: 4900, mrr_running: 4900 },
        ...{ plan_nickname: 'Professional Care', created_at: days(200), running_from: days(200) },
        ...{ current_period_start: days(10), current_period_end: days(-20) },
        ...more,
      },
    ])
  }

  /** A subscription that does not run any more; it was paid until its last period ended. */
  async addEnded(more: Record<string, unknown> = {}): Promise<void> {
    await this.addSubscription({
      ...{ status: 'cancelled', stripe_status: 'canceled', mrr: 0, ended_at: days(5), cancelled_at: days(5) },
      ...{ current_period_start: days(35), current_period_end: days(5), ...more },
    })
  }

  async addSite(more: Record<string, unknown> = {}): Promise<void> {
    const site = {
      ...{ id: this.site, site_name: `Shop ${this.n}`, domain: this.domain, customer_id: this.customer },
      ...{ status: 'active', health_status: 'healthy', health_checked_at: ago(60_000), provider: 'pages' },
      ...{ provider_settings: JSON.stringify({ project: `shop-${this.n}`, branch: null }) },
      ...{ last_deployment: days(30), created_at: days(100), updated_at: days(100), ...more },
    }
    const names = Object.keys(site)
    await this.pool.query(
      `insert into sites (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(site),
    )
  }

  /** Looks found it so since then. */
  async setHealth(health: string, since: string): Promise<void> {
    await this.pool.query('update sites set health_status = $2 where id = $1', [this.site, health])
    await this.pool.query('update site_probe_states set since = $2 where site_id = $1', [this.site, since])
  }

  async suspend(atProvider: string): Promise<void> {
    await this.pool.query(`update sites set status = 'suspended', at_provider = $2 where id = $1`, [
      this.site,
      atProvider,
    ])
    await this.pool.query(
      `insert into site_suspensions (id, site_id, state, reason, actor_name, status_before, provider, created_at, suspended_at)
       values ($1, $2, 'suspended', 'Not paid', 'Grace', 'active', null, $3, $3)`,
      [`susp_${this.n}`, this.site, days(3)],
    )
  }

  async addPayment(more: Record<string, unknown> = {}, invoice?: Record<string, unknown>): Promise<void> {
    const id = `pi_${this.n}`
    await insertRows(this.pool, 'payments', [
      { id, customer_id: this.customer, amount: 4900, amount_captured: 4900, created_at: days(30), ...more },
    ])
    if (!invoice) return
    await insertRows(this.pool, 'invoices', [
      { id: `in_${this.n}`, customer_id: this.customer, created_at: days(30), ...invoice },
    ])
    await insertRows(this.pool, 'invoice_payments', [
      { id: `inpay_${this.n}`, invoice_id: `in_${this.n}`, payment_id: id },
    ])
  }

  async addCheckout(more: Record<string, unknown> = {}): Promise<void> {
    await insertRows(this.pool, 'checkout_sessions', [
      {
        ...{ id: `cs_${this.n}`, customer_id: this.customer, subscription_id: `sub_${this.n}`, mode: 'subscription' },
        ...{ metadata: { site_id: `shop_${this.n}`, site_name: `Shop ${this.n}` }, created_at: days(20), ...more },
      },
    ])
  }

  async addZone(more: Record<string, unknown> = {}): Promise<void> {
    const zone = {
      ...{ id: `zone_${this.n}`, connection, name: this.domain, status: 'active', paused: false },
      ...{ created_on: days(90), name_servers: [], original_name_servers: [], ...more },
    }
    const names = Object.keys(zone)
    await this.pool.query(
      `insert into domains (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(zone),
    )
  }

  async register(expiresAt: string, more: { problem?: string; checkedAt?: string } = {}): Promise<void> {
    await this.pool.query(
      `insert into registered_domains (domain, expires_at, registrar, problem, checked_at, next_at)
       values ($1, $2, 'Gandi', $3, $4, $4)`,
      [this.domain, expiresAt, more.problem ?? null, more.checkedAt ?? hours(5)],
    )
    await this.pool.query('insert into site_registrations (site_id, host, domain, next_at) values ($1, $2, $2, $3)', [
      this.site,
      this.domain,
      now,
    ])
  }

  async maintain(): Promise<void> {
    await this.pool.query(
      `insert into maintenance_windows (id, title, starts_at, ends_at, is_for_all, silences, excludes_uptime, created_at, created_by)
       values ($1, 'New switches', $2, $3, false, true, true, $2, 'Grace')`,
      [`mw_${this.n}`, hours(3), hours(-3)],
    )
    await this.pool.query('insert into maintenance_sites values ($1, $2)', [`mw_${this.n}`, this.site])
  }

  async paying(site: Record<string, unknown> = {}, subscription: Record<string, unknown> = {}): Promise<void> {
    await this.addCustomer()
    await this.addSubscription(subscription)
    await this.addSite(site)
  }
}

export type Make = (part: Part) => Promise<void>

export const pending = { status: 'pending', health_status: 'unknown', last_deployment: null }
export const comp = { mrr: 0, mrr_running: 0 }
export const pastDue = { status: 'past_due', stripe_status: 'past_due' }
export const trial = { status: 'trialing', stripe_status: 'trialing', mrr: 0, running_from: null, trial_end: days(-5) }
export const abandoned = { status: 'cancelled', stripe_status: 'incomplete_expired', mrr: 0, running_from: null }
export const openCheckout = { status: 'expired', payment_status: 'unpaid', subscription_id: null }
