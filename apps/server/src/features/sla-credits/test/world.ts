import { randomUUID } from 'node:crypto'
import type { SlaCredit } from '@agency/contract/sla-credits'
import type { Sandbox } from '@agency/sandbox'
import { type Console, openConsole, startTestSandbox } from '../../../../test/fixtures/mirror.ts'
import { addLooks, every } from '../../../../test/monitoring-rows.ts'
import { type Caller, request } from '../../../../test/request.ts'
import { makeSite, put } from '../../../../test/sites.ts'
import { inTransaction } from '../../../context.ts'
import type { ObjectKind } from '../../../integrations/stripe/gateway.ts'
import { nextFetchSeq, writeObjects } from '../../mirror/index.ts'

export const now = Date.parse('2026-11-21T12:00:00Z')
export const minute = 60_000
export const hour = 60 * minute

/** 10 % below 99.9, 25 % below 99, all below 95. */
export const usualPromise = {
  percent: 99.9,
  tiers: [
    { below: 99.9, credit_percent: 10 },
    { below: 99, credit_percent: 25 },
    { below: 95, credit_percent: 100 },
  ],
}

export type World = { sandbox: Sandbox; console: Console; root: Caller; close(): Promise<void> }

export async function startWorld(): Promise<World> {
  const { sandbox, stop } = await startTestSandbox({ size: { customers: 4 } })
  const console = await openConsole(sandbox, { now: new Date(now).toISOString() })
  return {
    ...{ sandbox, console, root: request(console.ctx).as('super_admin') },
    async close() {
      await console.close()
      await stop()
    },
  }
}

async function mirror({ console: { ctx } }: World, kind: ObjectKind, id: string): Promise<void> {
  const fetchSeq = await nextFetchSeq(ctx.db)
  const object = await ctx.stripe?.in('job').findObject(kind, id)
  if (!object) throw new Error(`The provider has no ${kind} ${id}`)
  const fetch = { fetchSeq, fetchedAt: new Date(ctx.clock()), source: 'webhook' as const }
  await inTransaction(ctx, (tx) => writeObjects(tx, kind, [object], fetch))
}

export type Subscriber = { customer: string; subscription: string; plan: string; price: number }

/** A customer who pays monthly for a plan; what the plan promises was said in October. */
export async function subscribe(world: World, promise: object | null = usualPromise): Promise<Subscriber> {
  const { control } = world.sandbox
  // One of their own: what is owed for another site would count as well.
  const customer = String((await control.scenario('customer_created', {}))['customer'])
  const made = await control.scenario('subscription_started', { customer, price: 'starter.month.usd' })
  const subscription = String(made['subscription'])
  await mirror(world, 'customer', customer)
  await mirror(world, 'subscription', subscription)
  const { pool } = world.console.ctx
  const { rows } = await pool.query('select product_id, price_id, amount from subscriptions where id = $1', [
    subscription,
  ])
  const plan = String(rows[0].product_id)
  await mirror(world, 'product', plan)
  await mirror(world, 'price', String(rows[0].price_id))
  const before = world.console.clock.now()
  world.console.clock.set('2026-10-01T00:00:00Z')
  const { promises } = (await world.root.get('/uptime-promises')).json()
  const version = promises.find(({ plan_id }: { plan_id: string }) => plan_id === plan)?.version ?? 0
  await put(world.root, `/uptime-promises/${plan}`, { version, promise })
  world.console.clock.set(before)
  return { customer, subscription, plan, price: Number(rows[0].amount) }
}

type Outage = { from: number; to: number; health?: string; maintenance?: boolean }

/** A site that was looked at every minute from six o'clock on, and its outages. */
export async function watchedSite(world: World, customer: string, outages: readonly Outage[]): Promise<string> {
  const site = await makeSite(world.root)
  await world.console.ctx.pool.query('update sites set customer_id = $2 where id = $1', [site.id, customer])
  const looks = every(minute, now - 6 * hour, now).map((look) => {
    const outage = outages.find(({ from, to }) => look.at >= from && look.at < to)
    return outage ? { ...look, health: outage.health ?? 'down', maintenance: outage.maintenance ?? false } : look
  })
  await addLooks(world.console, site.id, looks)
  return site.id
}

/** Over, unless `to` is null. The alert opens a minute after the first failed look. */
export async function incidentAbout(
  { console: { ctx } }: World,
  sites: readonly string[],
  { from, to }: { from: number; to: number | null },
): Promise<string> {
  const id = `incident_${randomUUID()}`
  const alert = `alert_${randomUUID()}`
  const opened = new Date(from + minute)
  const ended = to === null ? null : new Date(to)
  await ctx.pool.query(
    `insert into incidents (id, severity, status, title, opened_at, resolved_at)
     values ($1, 'sev3', $2, 'Down', $3, $4)`,
    [id, ended ? 'resolved' : 'open', opened, ended],
  )
  await ctx.pool.query(
    `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
       last_seen_at, incident_id, resolved_at)
     values ($1::text, 'site.down', 'sites', $1::text, '', 'error', $2, 'Down', '', $3, $3, $4, $5)`,
    [alert, ended ? 'resolved' : 'open', opened, id, ended],
  )
  for (const site of sites)
    await ctx.pool.query(
      'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
      [alert, site],
    )
  return id
}

export async function creditsOf({ root }: World, incident: string): Promise<SlaCredit[]> {
  return (await root.get(`/incidents/${incident}/credits`)).json().credits
}

export const give = (
  { root }: World,
  incident: string,
  { customer_id, amount, currency }: Pick<SlaCredit, 'customer_id' | 'amount' | 'currency'>,
  key?: string,
) =>
  root.post(
    `/incidents/${incident}/credits`,
    { customer_id, amount, currency },
    key === undefined ? {} : { 'idempotency-key': key },
  )

type Change = { amount: number; metadata: Record<string, string>; description: string }

/** What the provider has done to the balance of a customer. */
export async function balanceOf({ sandbox }: World, customer: string): Promise<{ balance: number; changes: Change[] }> {
  const all = await sandbox.control.dump('customer_balance_transaction')
  const [found] = (await sandbox.control.dump('customer')).filter(({ id }) => id === customer)
  return {
    balance: Number(found?.['balance']),
    changes: all.filter((change) => change['customer'] === customer) as unknown as Change[],
  }
}
