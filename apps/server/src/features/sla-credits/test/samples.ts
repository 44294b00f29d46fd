import { randomUUID } from 'node:crypto'
import type { Console } from '../../../../test/fixtures/mirror.ts'
import { addLooks, every } from '../../../../test/monitoring-rows.ts'
import type { Caller } from '../../../../test/request.ts'
import { makeSite } from '../../../../test/sites.ts'

const minute = 60_000
const promise = { percent: 99.999, tiers: [{ below: 99.999, credit_percent: 50 }] }

type Provider = {
  newCustomer(): Promise<string>
  makeSubscription(input: object): Promise<string>
  mirror(kind: 'product' | 'price', id: string): Promise<void>
}

/** For each call that changes something about credits what it needs, and the call itself. */
export function creditSamples(console: () => Console, caller: () => Caller, provider: Provider) {
  const sql = (text: string, values: unknown[]) => console().ctx.pool.query(text, values)

  /** A paid subscription whose plan has promised much since long ago. */
  async function subscribed(): Promise<{ customer: string; plan: string }> {
    const id = await provider.makeSubscription({ customer: await provider.newCustomer(), price: 'starter.month.usd' })
    const { rows } = await sql('select customer_id, product_id, price_id from subscriptions where id = $1', [id])
    const [{ customer_id: customer, product_id: plan, price_id: price }] = rows
    await provider.mirror('product', plan)
    await provider.mirror('price', price)
    return { customer, plan }
  }

  async function owed() {
    const { customer, plan } = await subscribed()
    await sql(
      `insert into uptime_promises (plan_id, version, promise, created_at, created_by)
       select $1, coalesce(max(version), 0) + 1, $2, $3, 'Ada' from uptime_promises where plan_id = $1`,
      [plan, JSON.stringify(promise), new Date(0)],
    )
    const now = console().ctx.clock()
    const site = await makeSite(caller())
    await sql('update sites set customer_id = $2 where id = $1', [site.id, customer])
    await addLooks(console(), site.id, every(minute, now - 52 * minute, now - minute, { health: 'down' }))
    const [incident, alert, from, to] = [randomUUID(), randomUUID(), new Date(now - 50 * minute), new Date(now)]
    await sql(
      `insert into incidents (id, severity, status, title, opened_at, resolved_at)
       values ($1, 'sev3', 'resolved', 'Down', $2, $3)`,
      [incident, from, to],
    )
    await sql(
      `insert into alerts (id, rule, subject, subject_id, subject_name, severity, status, title, detail, opened_at,
         last_seen_at, resolved_at, incident_id)
       values ($1, 'site.down', 'site', $2, '', 'error', 'resolved', 'Down', '', $3, $3, $4, $5)`,
      [alert, site.id, from, to, incident],
    )
    await sql(
      'insert into alert_sites (alert_id, site_id, opened_at) select id, $2, opened_at from alerts where id = $1',
      [alert, site.id],
    )
    return incident
  }

  return {
    async giveSlaCredit() {
      const incident = await owed()
      const path = `/incidents/${incident}/credits`
      const [{ customer_id, amount, currency }] = (await caller().get(path)).json().credits
      return { caller: caller(), path, body: { customer_id, amount, currency } }
    },
    async setUptimePromise() {
      const { plan } = await subscribed()
      const { promises } = (await caller().get('/uptime-promises')).json()
      const { version } = promises.find(({ plan_id }: { plan_id: string }) => plan_id === plan)
      return { caller: caller(), path: `/uptime-promises/${plan}`, body: { version, promise } }
    },
  }
}
