import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  actionOf,
  actionsOf,
  auditOf,
  makeSubscription,
  mirrorObject,
  person,
  resolve,
  sentAbout,
  startWorld,
  type World,
} from './money-actions/test/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterEach(() => world.sandbox.faults.clear())
afterAll(() => world?.close())

const later = (ms: number) => world.console.clock.advance(ms)
const mirrored = (id: string) =>
  world.console.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** As the wire has it. */
const iso = (date: Date | null): string => date!.toISOString().replace('.000Z', 'Z')

async function atProvider(id: string): Promise<Record<string, unknown>> {
  const all = await world.sandbox.control.dump('subscription')
  return all.find((subscription) => subscription['id'] === id)!
}

describe('cancelling', () => {
  test('ends a subscription now', async () => {
    const id = await makeSubscription(world)
    expect(Number((await mirrored(id)).mrr)).toBeGreaterThan(0)
    const answer = await world.ada.cancel(id, undefined, 'now-1')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      success: true,
      subscription: { id, status: 'cancelled', stripe_status: 'canceled', mrr: 0, ended_at: expect.any(String) },
    })
    expect(await atProvider(id)).toMatchObject({ status: 'canceled' })
    expect(await mirrored(id)).toMatchObject({ status: 'cancelled', mrr: '0', source: 'action' })
    expect(await auditOf(world, id)).toEqual([
      'Ada subscription.cancel requested done',
      'Ada subscription.cancel done done',
    ])
    expect(await actionOf(world, 'now-1')).toMatchObject({ kind: 'cancel', state: 'done', amount: null, result_id: id })
    expect((await world.ada.actions(`?target=${id}`)).json().actions).toMatchObject([{ kind: 'cancel', state: 'done' }])
  })

  test('ends it with its period', async () => {
    const id = await makeSubscription(world)
    const before = await mirrored(id)
    const answer = await world.ada.cancel(id, { at: 'period_end' })
    expect(answer.json()).toMatchObject({
      subscription: {
        status: 'active',
        cancel_at_period_end: true,
        cancel_at: iso(before.current_period_end),
        mrr: Math.round(Number(before.mrr)),
      },
    })
    expect(await atProvider(id)).toMatchObject({ status: 'active', cancel_at_period_end: true })
  })

  test('now, after it was to end with its period', async () => {
    const id = await makeSubscription(world)
    await world.ada.cancel(id, { at: 'period_end' })
    const answer = await world.bob.cancel(id, { at: 'now' })
    expect(answer.json()).toMatchObject({ subscription: { status: 'cancelled', cancel_at_period_end: false } })
    expect(sentAbout(world, id).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })

  test.each([
    ['now', 'now'],
    ['period_end', 'period_end'],
    ['now', 'period_end'],
  ])('a second time (%s, then %s) succeeds, changes nothing and sends nothing', async (first, second) => {
    const id = await makeSubscription(world)
    const done = await world.ada.cancel(id, { at: first })
    const audit = await auditOf(world, id)
    const log = world.sandbox.requestLog().length
    const row = await mirrored(id)
    const again = await world.bob.cancel(id, { at: second }, `again-${first}-${second}`)
    expect(again.statusCode).toBe(200)
    expect(again.json()).toEqual(done.json())
    expect(world.sandbox.requestLog()).toHaveLength(log)
    expect(await auditOf(world, id)).toEqual(audit)
    expect(await mirrored(id)).toEqual(row)
    expect((await world.ada.actions(`?target=${id}`)).json().actions).toHaveLength(1)
  })

  test('keeps the key of a second time too', async () => {
    const id = await makeSubscription(world)
    await world.ada.cancel(id, { at: 'period_end' })
    const again = await world.bob.cancel(id, { at: 'period_end' }, 'kept-again')
    expect((await world.bob.cancel(id, { at: 'now' }, 'kept-again')).json()).toMatchObject({
      code: 'idempotency_conflict',
    })
    await world.bob.cancel(id, { at: 'now' })
    expect((await world.bob.cancel(id, { at: 'period_end' }, 'kept-again')).json()).toEqual(again.json())
  })

  test('succeeds when the provider ended it before, and the mirror did not know', async () => {
    for (const at of ['now', 'period_end']) {
      const id = await makeSubscription(world)
      await world.sandbox.control.scenario('subscription_cancelled', { subscription: id })
      const answer = await world.ada.cancel(id, { at })
      expect(answer.json()).toMatchObject({ success: true, subscription: { status: 'cancelled' } })
      expect(await mirrored(id)).toMatchObject({ status: 'cancelled' })
    }
  })

  test('cancels the answer of one click once', async () => {
    const two = await world.openProcess()
    for (let round = 0; round < 10; round++) {
      const id = await makeSubscription(world)
      const at = round % 2 ? 'now' : 'period_end'
      const answers = await Promise.all(
        [world.ada, person(two, 'Ada')].map((ada) => ada.cancel(id, { at }, `click-${round}`)),
      )
      expect(answers.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(200)
      expect(sentAbout(world, id)).toHaveLength(1)
    }
  })

  test('tells the second of two administrators who is at it, or that it is done', async () => {
    const two = await world.openProcess()
    for (let round = 0; round < 20; round++) {
      const id = await makeSubscription(world)
      const answers = await Promise.all([world.ada.cancel(id), person(two, 'Bob').cancel(id)])
      expect(sentAbout(world, id)).toHaveLength(1)
      const refused = answers.findIndex(({ statusCode }) => statusCode !== 200)
      if (refused < 0) continue
      expect(answers[refused]!.json()).toMatchObject({
        code: 'conflict',
        detail: `${refused ? 'Ada' : 'Bob'} started a cancellation just now; still running. Wait for that first.`,
      })
    }
  })
})

describe('refusals', () => {
  test.each([
    [{ at: 'tomorrow' }, 'at'],
    [{ when: 'now' }, 'when'],
  ])('refuses %o', async (body, parameter) => {
    const id = await makeSubscription(world)
    expect((await world.ada.cancel(id, body)).json()).toMatchObject({ status: 400, parameter })
    expect(sentAbout(world, id)).toEqual([])
  })

  test('refuses what does not exist', async () => {
    const answer = await world.ada.cancel('sub_none')
    expect(answer.json()).toMatchObject({ status: 404, detail: 'Subscription sub_none does not exist' })
    expect((await world.ada.preview('sub_none')).statusCode).toBe(404)
  })

  test('needs the permission to write', async () => {
    const id = await makeSubscription(world)
    const eve = person(world.console, 'Eve', ['billing.read'])
    expect((await eve.cancel(id)).json()).toMatchObject({ status: 403, permission: 'billing.write' })
    expect((await eve.preview(id)).statusCode).toBe(200)
    expect((await eve.actions()).statusCode).toBe(200)
    const mallory = person(world.console, 'Mallory', [])
    expect((await mallory.preview(id)).statusCode).toBe(403)
    expect((await mallory.actions()).statusCode).toBe(403)
    expect(sentAbout(world, id)).toEqual([])
  })

  test('is not possible without a provider', async () => {
    const id = await makeSubscription(world)
    const unconnected = await world.openProcess({ stripe: null })
    expect((await person(unconnected, 'Ada').cancel(id)).json()).toMatchObject({ status: 503, code: 'not_connected' })
  })

  test('cancels one without its first payment now only', async () => {
    const id = await makeSubscription(world)
    await world.console.ctx.pool.query(
      `update subscriptions set status = 'incomplete', stripe_status = 'incomplete',
         raw = raw || '{"status": "incomplete"}' where id = $1`,
      [id],
    )
    const answer = await world.ada.cancel(id, { at: 'period_end' })
    expect(answer.json()).toMatchObject({ status: 409, code: 'conflict' })
    expect(answer.json().detail).toContain('only immediate cancellation is possible')
    expect(sentAbout(world, id)).toEqual([])
    expect((await world.ada.cancel(id)).statusCode).toBe(200)
  })

  test('keeps the refusal of the provider', async () => {
    const id = await makeSubscription(world)
    world.sandbox.faults.next('stripe', 'subscriptions.cancel', { status: 400, message: 'Not this one.' })
    const answer = await world.ada.cancel(id, undefined, 'refusal-1')
    const expected = { status: 422, code: 'provider_invalid', detail: 'Stripe refused this: Not this one.' }
    expect(answer.json()).toMatchObject(expected)
    expect((await world.ada.cancel(id, undefined, 'refusal-1')).json()).toMatchObject(expected)
    expect(await mirrored(id)).toMatchObject({ status: 'active' })
    expect((await world.ada.cancel(id)).statusCode).toBe(200)
  })
})

describe('an answer that is lost', () => {
  test.each(['now', 'period_end'])('is found out (%s)', async (at) => {
    const id = await makeSubscription(world)
    world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, { connection: 'lost' }, 3)
    const answer = await world.ada.cancel(id, { at }, `lost-${at}`)
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect(await mirrored(id)).toMatchObject({ status: 'active', cancel_at_period_end: false })
    expect((await world.bob.cancel(id, { at })).json()).toMatchObject({ code: 'conflict' })
    world.sandbox.faults.clear()
    later(6000)
    await resolve(world.console)
    expect(await actionOf(world, `lost-${at}`)).toMatchObject({ state: 'done' })
    const again = await world.ada.cancel(id, { at }, `lost-${at}`)
    expect(again.json()).toMatchObject({ success: true, subscription: { id, cancel_at_period_end: at !== 'now' } })
    expect(await actionsOf(world, id)).toHaveLength(1)
  })

  test.each([400, 401, 404])('is not disproved by a %s to the second try', async (status) => {
    const id = await makeSubscription(world)
    const call = { path: `/v1/subscriptions/${id}`, method: 'POST' }
    world.sandbox.faults.next('stripe', call, { connection: 'lost' })
    world.sandbox.faults.next('stripe', call, { status, message: 'Not today.' })
    world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}`, method: 'GET' }, { status: 500 }, 9)
    const answer = await world.ada.cancel(id, { at: 'period_end' }, `second-${status}`)
    expect(answer.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
    expect(await actionOf(world, `second-${status}`)).toMatchObject({ state: 'unknown' })
    world.sandbox.faults.clear()
    later(6000)
    await resolve(world.console)
    expect(await actionOf(world, `second-${status}`)).toMatchObject({ state: 'done' })
  })

  test('is asked for again when nothing was done', async () => {
    for (const at of ['now', 'period_end']) {
      const id = await makeSubscription(world)
      world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, 503, 2)
      expect((await world.ada.cancel(id, { at }, `nothing-${at}`)).json()).toMatchObject({ code: 'outcome_unknown' })
      later(6000)
      await resolve(world.console)
      expect(await actionOf(world, `nothing-${at}`)).toMatchObject({ state: 'done' })
      expect(await atProvider(id)).toMatchObject(at === 'now' ? { status: 'canceled' } : { cancel_at_period_end: true })
    }
  })

  test('is not asked for again after a day', async () => {
    const id = await makeSubscription(world)
    world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}` }, 503, 2)
    await world.ada.cancel(id, undefined, 'day-1')
    later(24 * 3_600_000)
    await resolve(world.console)
    expect(await actionOf(world, 'day-1')).toMatchObject({ state: 'failed' })
    expect(await atProvider(id)).toMatchObject({ status: 'active' })
    const told = await world.console.ctx.db
      .selectFrom('notifications')
      .selectAll()
      .where('severity', '=', 'error')
      .execute()
    expect(told).toMatchObject([{ title: 'The cancellation failed', link: `/admin/subscriptions?open=${id}` }])
  })

  test('keeps an end that was taken back meanwhile', async () => {
    const id = await makeSubscription(world)
    world.sandbox.faults.next('stripe', { path: `/v1/subscriptions/${id}`, method: 'POST' }, { connection: 'lost' }, 2)
    await world.ada.cancel(id, { at: 'period_end' }, 'back-1')
    const undone = await fetch(`${world.sandbox.stripe.baseUrl}/v1/subscriptions/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.sandbox.stripe.secretKey}` },
      body: new URLSearchParams({ cancel_at_period_end: 'false' }),
    })
    expect(undone.status).toBe(200)
    later(6000)
    await resolve(world.console)
    expect(await actionOf(world, 'back-1')).toMatchObject({ state: 'done' })
    expect(await atProvider(id)).toMatchObject({ cancel_at_period_end: false })
    expect(await mirrored(id)).toMatchObject({ cancel_at_period_end: false })
  })
})

describe('the preview', () => {
  test('tells what ends, when, and what is at stake', async () => {
    const id = await makeSubscription(world, { price: 'business.year.usd' })
    const before = await mirrored(id)
    const end = iso(before.current_period_end)
    const preview = (await world.ada.preview(id)).json()
    const mrr = Math.round(Number(before.mrr))
    expect(mrr).toBeGreaterThan(0)
    expect(preview).toMatchObject({
      subscription: { id, status: 'active', mrr },
      now: { unused_until: end, mrr_lost: mrr, currency: 'usd', open_invoices: [] },
      period_end: { ends_at: end, mrr_lost: mrr, currency: 'usd', already_scheduled: false },
    })
    expect(Math.abs(Date.parse(preview.now.ends_at) - world.console.clock.now())).toBeLessThan(60_000)
    await world.ada.cancel(id, { at: 'period_end' })
    expect((await world.ada.preview(id)).json()).toMatchObject({
      period_end: { ends_at: end, already_scheduled: true },
    })
    const { subscription } = (await world.ada.cancel(id)).json()
    expect((await world.ada.preview(id)).json()).toMatchObject({
      subscription,
      now: { ends_at: subscription.ended_at, unused_until: null, mrr_lost: 0 },
      period_end: { ends_at: subscription.ended_at, mrr_lost: 0, already_scheduled: false },
    })
  })

  test('rounds a half to the even neighbour', async () => {
    const id = await makeSubscription(world)
    for (const [exact, rounded] of [
      ['1000.5', 1000],
      ['1001.5', 1002],
      ['1000.500000001', 1001],
    ] as const) {
      await world.console.ctx.pool.query('update subscriptions set mrr = $2 where id = $1', [id, exact])
      expect((await world.ada.preview(id)).json()).toMatchObject({ now: { mrr_lost: rounded } })
    }
  })

  test('names the invoices that stay open', async () => {
    const id = await makeSubscription(world)
    const [invoice] = (await world.sandbox.control.dump('invoice')).filter(
      ({ parent }) =>
        (parent as { subscription_details?: { subscription?: string } })?.subscription_details?.subscription === id,
    )
    await mirrorObject(world.console, 'invoice', String(invoice!['id']))
    expect((await world.ada.preview(id)).json().now.open_invoices).toEqual([])
    await world.console.ctx.pool.query(
      `update invoices set status = 'open', amount_remaining = amount_due where id = $1`,
      [invoice!['id']],
    )
    const { now, period_end } = (await world.ada.preview(id)).json()
    expect(now.reach).toMatchObject({ undo: null, invoices: [{ id: invoice!['id'], becomes: 'not_collected' }] })
    expect(period_end.reach).toMatchObject({
      undo: { by: 'undo_cancel', until: period_end.reach.mrr[0].at },
      invoices: [{ id: invoice!['id'], becomes: 'unchanged' }],
      mrr: [{ before: now.mrr_lost, after: 0 }],
    })
    // What is owed is not paid for.
    expect(now.unused_until).toBe(null)
    expect(now.open_invoices).toMatchObject([
      { id: invoice!['id'], status: 'open', amount_remaining: invoice!['amount_due'] },
    ])
  })
})
