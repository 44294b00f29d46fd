import { randomUUID } from 'node:crypto'
import type { SlaCredit } from '@agency/contract/sla-credits'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { put } from '../../../test/sites.ts'
import {
  balanceOf,
  creditsOf,
  give,
  hour,
  incidentAbout,
  minute,
  now,
  startWorld,
  subscribe,
  usualPromise,
  type World,
  watchedSite,
} from './test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterEach(() => {
  world.sandbox.faults.clear()
  world.console.clock.set(now)
})
afterAll(() => world?.close())

/** Six hours were looked at, and until December 9.5 days are left: 21 600 + 820 800 seconds. */
const counted = 842_400
const outage = { from: now - 2 * hour, to: now - 2 * hour + 45 * minute }
const rate = (price: number, percent: number) => Math.floor((price * percent) / 100)

async function owed(): Promise<{ incident: string; credit: SlaCredit; customer: string; price: number }> {
  const { customer, price } = await subscribe(world)
  const site = await watchedSite(world, customer, [outage])
  const incident = await incidentAbout(world, [site], { from: outage.from, to: outage.to + minute })
  const [credit] = await creditsOf(world, incident)
  return { incident, credit: credit!, customer, price }
}

describe('what is owed', () => {
  test('follows from the evidence: minutes, uptime of the month, promise and price', async () => {
    const { credit, price, customer } = await owed()
    expect(credit).toMatchObject({ customer_id: customer, state: 'proposed', currency: 'usd', reason: null })
    expect(credit.amount).toBe(rate(price, 10))
    expect(credit.lines).toMatchObject([
      {
        ...{ month: '2026-11', incident_down_seconds: 2700, earlier_down_seconds: 0, counted_seconds: counted },
        // (842 400 − 2 700) / 842 400
        ...{ uptime_percent: 99.679, promised_percent: 99.9, credit_percent: 10, earlier_credit_percent: 0 },
        ...{ price, given_before: 0, amount: rate(price, 10) },
      },
    ])
  })

  test('maintenance, unknown time and false positives are not downtime', async () => {
    const { customer } = await subscribe(world)
    const maintained = await watchedSite(world, customer, [{ ...outage, maintenance: true }])
    const unknown = await watchedSite(world, customer, [{ ...outage, health: 'unknown' }])
    const [none] = await creditsOf(world, await incidentAbout(world, [maintained, unknown], outage))
    expect(none).toMatchObject({ state: 'none', reason: 'No confirmed downtime', amount: 0, lines: [] })
    const down = await watchedSite(world, customer, [outage])
    const incident = await incidentAbout(world, [down], { from: outage.from, to: outage.to + minute })
    expect((await creditsOf(world, incident))[0]?.state).toBe('proposed')
    await world.root.patch(`/incidents/${incident}`, { version: 1, is_false_positive: true })
    expect((await creditsOf(world, incident))[0]?.state).toBe('none')
  })

  test('a site shared by nobody, a plan without a promise, and one that was promised later', async () => {
    const { customer, plan } = await subscribe(world, null)
    const site = await watchedSite(world, customer, [outage])
    const incident = await incidentAbout(world, [site], outage)
    expect((await creditsOf(world, incident))[0]).toMatchObject({ reason: 'No plan with an uptime promise' })
    const { promises } = (await world.root.get('/uptime-promises')).json()
    const { version } = promises.find(({ plan_id }: { plan_id: string }) => plan_id === plan)
    await put(world.root, `/uptime-promises/${plan}`, { version, promise: usualPromise })
    expect((await creditsOf(world, incident))[0]).toMatchObject({ reason: 'No plan with an uptime promise' })
  })

  test('before the incident is over nothing can be given', async () => {
    const { customer } = await subscribe(world)
    const site = await watchedSite(world, customer, [outage])
    const incident = await incidentAbout(world, [site], { from: outage.from, to: null })
    const [credit] = await creditsOf(world, incident)
    expect(credit).toMatchObject({ state: 'blocked', reason: 'The incident is ongoing' })
    expect((await give(world, incident, credit!)).statusCode).toBe(409)
    expect((await balanceOf(world, customer)).changes).toEqual([])
  })
})

describe('giving it', () => {
  test('credits the balance once, with what it was for, and says so in timeline and audit log', async () => {
    const { incident, credit, customer } = await owed()
    const answer = await give(world, incident, credit, randomUUID())
    expect(answer.json().credit).toMatchObject({ state: 'given', given_by: 'Test super_admin', amount: credit.amount })
    const { balance, changes } = await balanceOf(world, customer)
    expect(balance).toBe(-credit.amount)
    expect(changes).toMatchObject([{ amount: -credit.amount, metadata: { incident } }])
    const again = await give(world, incident, credit, randomUUID())
    expect(again.json()).toMatchObject({ status: 409, detail: 'This credit was already given. Nothing was credited.' })
    expect((await balanceOf(world, customer)).changes).toHaveLength(1)
    const { events } = (await world.root.get(`/incidents/${incident}`)).json().incident
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(['credit_given'])
    const { rows } = await world.console.ctx.pool.query(
      `select after ->> 'state' as state from audit_entries where action = 'customer.give_sla_credit'
       and resource_id = $1 order by id`,
      [customer],
    )
    expect(rows.map(({ state }) => state)).toEqual(['requested', 'done'])
  })

  test('two presses at the same moment, and one that is repeated under its key, credit once', async () => {
    const { incident, credit, customer } = await owed()
    const key = randomUUID()
    const answers = await Promise.all([give(world, incident, credit, key), give(world, incident, credit, randomUUID())])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const repeated = await give(world, incident, credit, key)
    expect([200, 409]).toContain(repeated.statusCode)
    expect((await balanceOf(world, customer)).changes).toHaveLength(1)
  })

  test('a later incident of the month is owed what its tier is worth more', async () => {
    const { customer, price } = await subscribe(world)
    const first = { from: now - 5 * hour, to: now - 5 * hour + 45 * minute }
    // 45 and 110 minutes: (842 400 − 9 300) / 842 400 = 98.896 %
    const second = { from: now - 3 * hour, to: now - 3 * hour + 110 * minute }
    const site = await watchedSite(world, customer, [first, second])
    const one = await incidentAbout(world, [site], first)
    const two = await incidentAbout(world, [site], second)
    const [small] = await creditsOf(world, one)
    await give(world, one, small!)
    const [large] = await creditsOf(world, two)
    expect(large!.lines).toMatchObject([
      {
        ...{ incident_down_seconds: 6600, earlier_down_seconds: 2700, uptime_percent: 98.896 },
        ...{ credit_percent: 25, earlier_credit_percent: 10, given_before: rate(price, 10) },
      },
    ])
    expect(large!.amount).toBe(rate(price, 15))
  })

  test('figures that have changed since they were shown are refused', async () => {
    const { incident, credit, customer } = await owed()
    const answer = await give(world, incident, { ...credit, amount: credit.amount + 1 })
    expect(answer.json().detail).toMatch(/^The figures have changed: .* is owed now\. Nothing was credited\.$/)
    expect((await balanceOf(world, customer)).changes).toEqual([])
  })

  test('when the answer is lost, the job finds out and nothing is credited twice', async () => {
    const { incident, credit, customer } = await owed()
    world.sandbox.faults.next('stripe', 'customers.createBalanceTransaction', { connection: 'lost' }, 2)
    const answer = await give(world, incident, credit, randomUUID())
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect((await creditsOf(world, incident))[0]?.state).toBe('in_progress')
    expect((await give(world, incident, credit, randomUUID())).statusCode).toBe(409)
    world.console.clock.advance(2 * minute)
    await runJob(world.console.ctx, 'billing.resolve-actions')
    expect((await creditsOf(world, incident))[0]?.state).toBe('given')
    expect((await balanceOf(world, customer)).changes).toHaveLength(1)
  })

  test.each([400, 401, 404])(
    'a second try that gets a %s proves nothing of the first, whose answer was lost',
    async (status) => {
      const { incident, credit, customer } = await owed()
      const call = 'customers.createBalanceTransaction'
      world.sandbox.faults.next('stripe', call, { connection: 'lost' })
      world.sandbox.faults.next('stripe', call, { status, message: 'Not today.' })
      expect((await give(world, incident, credit, randomUUID())).json()).toMatchObject({ code: 'outcome_unknown' })
      expect((await give(world, incident, credit, randomUUID())).statusCode).toBe(409)
      world.console.clock.advance(2 * minute)
      await runJob(world.console.ctx, 'billing.resolve-actions')
      expect((await creditsOf(world, incident))[0]?.state).toBe('given')
      expect((await balanceOf(world, customer)).changes).toHaveLength(1)
    },
  )

  test('what Stripe refuses for certain makes room for another try', async () => {
    const { incident, credit, customer } = await owed()
    const refusal = { status: 400, message: 'Not today.', kept: true }
    world.sandbox.faults.next('stripe', 'customers.createBalanceTransaction', refusal, 1)
    expect((await give(world, incident, credit, randomUUID())).statusCode).toBe(422)
    expect((await creditsOf(world, incident))[0]?.state).toBe('proposed')
    expect((await give(world, incident, credit, randomUUID())).statusCode).toBe(200)
    expect((await balanceOf(world, customer)).changes).toHaveLength(1)
  })

  test('needs the permission to move money', async () => {
    const { incident, credit } = await owed()
    const support = request(world.console.ctx).as('support')
    expect((await support.get(`/incidents/${incident}/credits`)).statusCode).toBe(403)
    const { customer_id, amount, currency } = credit
    const answer = await support.post(`/incidents/${incident}/credits`, { customer_id, amount, currency })
    expect(answer.statusCode).toBe(403)
  })
})

test('whoever changes a promise reads it at once, also before the news of it have come', async () => {
  const { plan } = await subscribe(world)
  const { pool, changes } = world.console.ctx
  const read = async () =>
    (await world.root.get('/uptime-promises'))
      .json()
      .promises.find(({ plan_id }: { plan_id: string }) => plan_id === plan)
  // All that was told before has come: news come in the order of their commits.
  const heard = new Promise<void>((resolve) => {
    const stop = changes.subscribe((topics) => {
      if (!topics.has('sessions')) return
      stop()
      resolve()
    })
  })
  await pool.query(`select pg_notify('changes', 'sessions')`)
  await heard
  const { version } = await read()
  await pool.query('alter table uptime_promises disable trigger uptime_promises_tell')
  try {
    await put(world.root, `/uptime-promises/${plan}`, { version, promise: { ...usualPromise, percent: 99.95 } })
    expect(await read()).toMatchObject({ version: version + 1 })
  } finally {
    await pool.query('alter table uptime_promises enable trigger uptime_promises_tell')
  }
})

test('a promise is versioned and audited, and a careless one is refused', async () => {
  const { plan } = await subscribe(world)
  const find = async () =>
    (await world.root.get('/uptime-promises'))
      .json()
      .promises.find(({ plan_id }: { plan_id: string }) => plan_id === plan)
  const { version } = await find()
  const set = (promise: unknown, at = version) => put(world.root, `/uptime-promises/${plan}`, { version: at, promise })
  const rising = { percent: 99.9, tiers: [usualPromise.tiers[1], usualPromise.tiers[0]] }
  expect((await set(rising)).statusCode).toBe(400)
  expect((await set({ percent: 99, tiers: [{ below: 99.9, credit_percent: 10 }] })).statusCode).toBe(400)
  expect((await set({ ...usualPromise, percent: 99.95 })).json().promise).toMatchObject({ version: version + 1 })
  expect((await set(null)).statusCode).toBe(409)
  const { rows } = await world.console.ctx.pool.query(
    `select after -> 'promise' ->> 'percent' as percent from audit_entries
     where action = 'plan.set_uptime_promise' and resource_id = $1 order by id desc limit 1`,
    [plan],
  )
  expect(rows).toEqual([{ percent: '99.95' }])
})
