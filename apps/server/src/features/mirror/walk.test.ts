import type { Sandbox } from '@agency/sandbox'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Console,
  dumpDifferences,
  dumpMirror,
  importAll,
  live,
  openConsole,
  startTestSandbox,
} from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { request } from '../../../test/request.ts'
import { findNewestImport } from './queries/imports.ts'
import { findEventProgress } from './queries/settings.ts'
import { reconcileEvents } from './reconcile.ts'
import { mirrorState } from './service.ts'
import { walk } from './walk.ts'

const dayMs = 86_400_000
let sandbox: Sandbox
let stop: () => Promise<void>
let client: Stripe
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 12 } }))
  client = (await startWorld(sandbox)).client
  console_ = await openConsole(sandbox)
  await importAll(console_.system)
  await console_.runJobs()
})
afterAll(async () => {
  await console_.close()
  await stop()
})

/** The newest report as the API tells it. */
/** Without waiting until the database has told of it. */
async function newestReport() {
  console_.ctx.changes.tell('mirror')
  const admin = request(console_.ctx).as('admin')
  const { reports } = (await admin.get('/mirror/drift')).json()
  const found = await admin.get(`/mirror/drift/${reports[0].id}`)
  return found.json() as {
    report: Record<string, unknown>
    rows: { object: string; object_id: string; difference: string; repaired: boolean }[]
  }
}

describe('a walk', () => {
  test('finds nothing when nothing differs', async () => {
    await walk(console_.system, live())
    const { report, rows } = await newestReport()
    expect(report).toMatchObject({ kind: 'walk', state: 'done', differed: 0, repaired: 0, error: null })
    expect(report['checked']).toBeGreaterThan(100)
    expect(rows).toEqual([])
    expect((await mirrorState(console_.ctx)).last_walk_at).not.toBeNull()
  })

  test('says field by field what differs, and repairs it', async () => {
    const { db } = console_.ctx
    const before = await dumpMirror(console_.ctx)
    const [a, b, c] = (await db
      .selectFrom('customers')
      .select(['id', 'name'])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(3)
      .execute()) as { id: string; name: string }[]
    await db.updateTable('customers').set({ name: 'Somebody else', phone: null }).where('id', '=', a!.id).execute()
    await db.deleteFrom('customers').where('id', '=', b!.id).execute()
    await sql`update customers set raw = raw || '{"description": "changed by hand"}' where id = ${c!.id}`.execute(db)
    const product = await db.selectFrom('products').select(['id', 'active']).limit(1).executeTakeFirstOrThrow()
    await db.updateTable('products').set({ active: !product.active }).where('id', '=', product.id).execute()
    const coupon = await client.coupons.create({ percent_off: 5, duration: 'once' })
    await db
      .insertInto('coupons')
      .values({
        ...{ id: 'coupon_of_nobody', duration: 'once', created_at: new Date(), raw: '{}' },
        fetch_seq: 1,
        fetched_at: new Date(),
        source: 'import',
      })
      .execute()

    await walk(console_.system, live())
    const { report, rows } = await newestReport()
    expect(report).toMatchObject({ differed: 6, repaired: 6 })
    const told = Object.fromEntries(rows.map((row) => [row.object_id, row.difference]))
    expect(told[a!.id]).toContain(`name: Somebody else → ${a!.name}`)
    expect(told[b!.id]).toBe('Missing here')
    expect(told[c!.id]).toBe('details differ: description')
    expect(told[product.id]).toBe(`active: ${!product.active} → ${product.active}`)
    expect(told[coupon.id]).toBe('Missing here')
    expect(told['coupon_of_nobody']).toBe('Deleted at Stripe')
    expect((await mirrorState(console_.ctx)).last_drift).toMatchObject({ differed: 6, repaired: 6 })
    const notes = await db.selectFrom('notifications').select('title').where('type', '=', 'mirror.drift').execute()
    expect(notes).toEqual([{ title: '6 Stripe records were out of date' }])
    await client.coupons.del(coupon.id)
    await db.deleteFrom('coupons').where('id', '=', coupon.id).execute()
    expect(dumpDifferences(await dumpMirror(console_.ctx), before)).toEqual([])
  })

  test('does not cry wolf about changes that are on their way', async () => {
    const { id } = (await client.customers.list({ limit: 1 })).data[0]!
    await client.customers.update(id, { name: 'Fresh' })
    const now = new Date(console_.ctx.clock())
    await console_.ctx.db
      .insertInto('webhook_events')
      .values({
        ...{ id: 'evt_on_its_way', type: 'customer.updated', created_at: now, received_at: now, state: 'pending' },
        ...{ object_kind: 'customer', object_id: id, payload: '{}', origin: 'webhook' },
      })
      .execute()
    await walk(console_.system, live())
    expect((await newestReport()).report).toMatchObject({ differed: 0 })
    const row = await console_.ctx.db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst()
    expect(row?.name).toBe('Fresh')
  })

  test('tells totals that are wrong, loudly', async () => {
    const { db } = console_.ctx
    const day = await db
      .selectFrom('daily_revenue')
      .select(['day', 'currency', 'net'])
      .limit(1)
      .executeTakeFirstOrThrow()
    const set = (net: number) =>
      db
        .updateTable('daily_revenue')
        .set({ net })
        .where('day', '=', day.day)
        .where('currency', '=', day.currency)
        .execute()
    await set(day.net + 1)
    await walk(console_.system, live())
    await set(day.net)
    const { rows } = await newestReport()
    expect(rows).toMatchObject([
      { object: 'total daily_revenue', object_id: `${day.day} ${day.currency}`, repaired: false },
    ])
  })
})

describe('a reconcile', () => {
  test('applies events that were never delivered, and says which', async () => {
    await reconcileEvents(console_.system, live())
    const { id } = (await client.customers.list({ limit: 1 })).data[0]!
    await client.customers.update(id, { name: 'Not told' })
    console_.clock.advance(5 * 60_000)
    await reconcileEvents(console_.system, live())
    const { report, rows } = await newestReport()
    expect(report).toMatchObject({ kind: 'events', state: 'done', differed: 1, repaired: 1 })
    expect(rows).toEqual([
      { object: 'customer', object_id: id, difference: 'An event was not delivered: customer.updated', repaired: true },
    ])
    const row = await console_.ctx.db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst()
    expect(row?.name).toBe('Not told')
    const stored = await console_.ctx.db
      .selectFrom('webhook_events')
      .select(['origin', 'state'])
      .where('object_id', '=', id)
      .where('origin', '=', 'reconcile')
      .execute()
    expect(stored).toContainEqual({ origin: 'reconcile', state: 'applied' })
  })

  test('keeps an event that cannot be stored as a dead letter, and applies those beside it', async () => {
    const { id } = (await client.customers.list({ limit: 1 })).data[0]!
    await client.customers.update(id, { name: 'Told beside it' })
    const { ctx, system } = console_
    const stripe = ctx.stripe!
    const metadata = JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`)
    const listed: typeof stripe.listEvents = async (query) => {
      const page = await stripe.listEvents(query)
      const poison = { ...page.objects[0]!, id: 'evt_poison', data: { object: { id, object: 'customer', metadata } } }
      return { ...page, objects: [poison, ...page.objects] }
    }
    const poisoned = { ...stripe, listEvents: listed }
    await reconcileEvents({ ...system, stripe: { ...poisoned, in: () => poisoned } }, live())
    const row = await ctx.db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst()
    expect(row?.name).toBe('Told beside it')
    const { events } = (await request(ctx).as('super_admin').get('/mirror/dead-events')).json()
    expect(events).toMatchObject([{ id: 'evt_poison', error: 'The event is more than 100 levels deep.' }])
    await request(ctx).as('super_admin').post('/mirror/dead-events/evt_poison/replay')
    await console_.runJobs()
    const state = ctx.db.selectFrom('webhook_events').select('state').where('id', '=', 'evt_poison')
    expect(await state.executeTakeFirst()).toEqual({ state: 'applied' })
  })

  test('begins an import when the gap is longer than the provider remembers', async () => {
    console_.clock.advance(30 * dayMs)
    await reconcileEvents(console_.system, live())
    expect(await findNewestImport(console_.ctx.db)).toMatchObject({ state: 'running', reason: 'gap' })
    await console_.runJobs()
    expect(await findNewestImport(console_.ctx.db)).toMatchObject({ state: 'done', reason: 'gap' })
    const progress = await findEventProgress(console_.ctx.db)
    expect(Date.parse(progress?.lookedAt ?? '')).toBeGreaterThan(console_.ctx.clock() - dayMs)
  })

  test('can be asked for by those who may', async () => {
    const admin = request(console_.ctx).as('super_admin')
    expect((await request(console_.ctx).as('admin').post('/mirror/reconcile')).statusCode).toBe(403)
    expect((await admin.post('/mirror/reconcile', { kind: 'everything' })).statusCode).toBe(400)
    expect((await admin.post('/mirror/reconcile')).json()).toEqual({ queued: true })
    expect((await admin.post('/mirror/reconcile', { kind: 'walk' })).json()).toEqual({ queued: true })
    expect(console_.enqueued.map((job) => job.name)).toEqual(['mirror.reconcile', 'mirror.walk'])
    const actions = await console_.ctx.db
      .selectFrom('audit_entries')
      .select('action')
      .where('action', '=', 'mirror.reconcile')
      .execute()
    expect(actions).toHaveLength(2)
    expect((await request(console_.ctx).as('readonly').get('/mirror/drift')).statusCode).toBe(403)
    expect((await admin.get('/mirror/drift/nothing')).statusCode).toBe(404)
  })
})
