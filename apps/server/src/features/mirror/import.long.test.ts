import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Console,
  dumpDifferences,
  dumpMirror,
  dumpTotals,
  importAll,
  live,
  openConsole,
  startTestSandbox,
} from '../../../test/fixtures/mirror.ts'
import { startWorld } from '../../../test/fixtures/world.ts'
import { programOf } from '../../../test/programs.ts'
import { request } from '../../../test/request.ts'
import { requestImport, runImport } from './import.ts'
import { findNewestImport, findSteps } from './queries/imports.ts'
import { verifyTotals } from './queries/totals.ts'
import { mirrorState } from './service.ts'

const child = await programOf(new URL('../../../test/fixtures/import-child.ts', import.meta.url).href)
const kills = 20

let sandbox: Sandbox
let stop: () => Promise<void>
let truth: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 20 } }))
  truth = await openConsole(sandbox)
  await importAll(truth.system)
})
afterAll(async () => {
  await truth.close()
  await stop()
})

async function withConsole(work: (console_: Console) => Promise<void>): Promise<void> {
  const console_ = await openConsole(sandbox)
  try {
    await work(console_)
  } finally {
    await console_.close()
  }
}

async function countsOf({ ctx }: Console): Promise<Record<string, number>> {
  const newest = await findNewestImport(ctx.db)
  const steps = await findSteps(ctx.db, newest!.id)
  return Object.fromEntries(steps.map((step) => [step.object, step.objects]))
}

async function expectTruth(console_: Console): Promise<void> {
  expect(dumpDifferences(await dumpMirror(console_.ctx), await dumpMirror(truth.ctx))).toEqual([])
  expect(await dumpTotals(console_.ctx)).toEqual(await dumpTotals(truth.ctx))
  expect(await verifyTotals(console_.ctx.db)).toEqual([])
}

/** Starts a process that goes on with the import and kills it after a while; answers whether it had come to its end. */
async function importAndKill(databaseUrl: string, afterMs: number): Promise<boolean> {
  const { baseUrl, secretKey } = sandbox.stripe
  const process_ = child.start([databaseUrl, baseUrl, secretKey], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(process_, 'exit')
  await once(process_.stdout as Readable, 'data')
  await Promise.race([sleep(afterMs), ended])
  process_.kill('SIGKILL')
  const [code] = await ended
  return code === 0
}

describe('an import', () => {
  test('tells the planner what the lists hold', async () => {
    await withConsole(async (console_) => {
      await importAll(console_.system)
      const { rows } = await console_.ctx.pool.query(
        `select tablename, null_frac from pg_stats where attname = 'deleted_at'
          and tablename in ('customers', 'subscriptions', 'payments') order by tablename`,
      )
      expect(rows).toEqual(['customers', 'payments', 'subscriptions'].map((tablename) => ({ tablename, null_frac: 1 })))
    })
  })

  test('brings everything, tells it and counts it', async () => {
    const state = await mirrorState(truth.ctx)
    expect(state).toMatchObject({ problem: null, pending_events: 0, dead_events: 0 })
    expect(state.first_import).toMatchObject({ state: 'done', error: null })
    const counts = await countsOf(truth)
    expect(counts['account']).toBe(1)
    expect(counts['gone']).toBe(0)
    for (const kind of ['customer', 'subscription', 'payment', 'invoice', 'charge', 'price']) {
      expect(counts[kind]).toBeGreaterThan(10)
    }
    const listed = await sandbox.control.dump('subscription')
    expect(counts['subscription']).toBe(listed.length)
    const told = await truth.ctx.db.selectFrom('notifications').select('type').execute()
    expect(told).toEqual([{ type: 'import.finished' }])
    expect(truth.enqueued.map((job) => job.name)).toContain('mirror.reconcile')
  })

  test('again changes nothing', async () => {
    const before = [await dumpMirror(truth.ctx), await dumpTotals(truth.ctx)]
    await importAll(truth.system)
    expect([await dumpMirror(truth.ctx), await dumpTotals(truth.ctx)]).toEqual(before)
  })

  test(
    'killed at twenty random moments goes on where it was, and brings nothing twice',
    () =>
      withConsole(async (console_) => {
        await requestImport(console_.system, 'test')
        let finished = 0
        for (let kill = 0; kill < kills; kill++) {
          if (await importAndKill(console_.database.connectionString, Math.random() * 250)) finished++
          if (finished > 0) await requestImport(console_.system, 'again')
        }
        await runImport(console_.system, live())
        expect(await countsOf(console_)).toEqual(await countsOf(truth))
        await expectTruth(console_)
      }),
    240_000,
  )

  test('of two processes at once is one import', () =>
    withConsole(async (console_) => {
      await Promise.all([requestImport(console_.system, 'a'), requestImport(console_.system, 'b')])
      const imports = await console_.ctx.db.selectFrom('mirror_imports').select('id').execute()
      expect(imports).toHaveLength(1)
    }))

  test('goes on when the object that it had come to is deleted meanwhile', () =>
    withConsole(async (console_) => {
      const { client } = await startWorld(sandbox)
      const made = []
      for (let count = 0; count < 3; count++) made.push(await client.products.create({ name: `Product ${count}` }))
      await requestImport(console_.system, 'test')
      const newest = await findNewestImport(console_.ctx.db)
      const steps = await findSteps(console_.ctx.db, newest!.id)
      const products = steps.find((step) => step.object === 'product')!
      await importAll(console_.system)
      // Back to where it was after the page that ended with the newest but one.
      await console_.ctx.db.updateTable('mirror_imports').set({ state: 'running', finished_at: null }).execute()
      await console_.ctx.db
        .updateTable('mirror_import_steps')
        .set({ state: 'running', cursor: made[1]!.id, objects: 2 })
        .where('position', '=', products.position)
        .execute()
      await console_.ctx.db
        .deleteFrom('products')
        .where(
          'id',
          'not in',
          made.map(({ id }) => id),
        )
        .execute()
      await client.products.del(made[1]!.id)
      await runImport(console_.system, live())
      const listed = (await client.products.list({ limit: 100 })).data.map(({ id }) => id)
      const mirrored = await console_.ctx.db
        .selectFrom('products')
        .select('id')
        .where('deleted_at', 'is', null)
        .execute()
      // Its own deletion is found by its event or at the end of the next import.
      expect(mirrored.map(({ id }) => id).sort()).toEqual([...listed, made[1]!.id].sort())
      await client.products.del(made[0]!.id)
      await client.products.del(made[2]!.id)
    }))

  test('buries what is gone since the last one', () =>
    withConsole(async (console_) => {
      const { client } = await startWorld(sandbox)
      const coupon = await client.coupons.create({ percent_off: 5, duration: 'once' })
      const customer = await client.customers.create({ name: 'Short stay' })
      await importAll(console_.system)
      await client.coupons.del(coupon.id)
      await client.customers.del(customer.id)
      await importAll(console_.system)
      expect((await countsOf(console_))['gone']).toBe(2)
      const row = await console_.ctx.db
        .selectFrom('coupons')
        .select('deleted_at')
        .where('id', '=', coupon.id)
        .executeTakeFirst()
      expect(row?.deleted_at).toBeInstanceOf(Date)
      expect(await verifyTotals(console_.ctx.db)).toEqual([])
    }))

  test('can be cancelled, and only by those who may', () =>
    withConsole(async (console_) => {
      const admin = request(console_.ctx).as('super_admin')
      expect((await admin.post('/mirror/import/cancel')).statusCode).toBe(409)
      expect((await request(console_.ctx).as('admin').post('/mirror/import')).statusCode).toBe(403)
      expect((await admin.post('/mirror/import', { everything: true })).statusCode).toBe(400)
      expect((await admin.post('/mirror/import')).json()).toEqual({ queued: true })
      expect((await request(console_.ctx).as('admin').post('/mirror/import/cancel')).statusCode).toBe(403)
      expect((await admin.post('/mirror/import/cancel')).json()).toEqual({ success: true })
      await console_.runJobs()
      const { body } = await admin.get('/mirror')
      expect(JSON.parse(body).first_import).toMatchObject({ state: 'cancelled', objects: 0 })
    }))
})

describe('a key that opens another account', () => {
  test('starts the mirror anew', () =>
    withConsole(async (console_) => {
      await importAll(console_.system)
      await console_.ctx.db.updateTable('stripe_accounts').set({ id: 'acct_of_before' }).execute()
      await console_.ctx.db
        .insertInto('customers')
        .values({
          ...{
            id: 'cus_of_before',
            created_at: new Date(),
            raw: '{}',
            fetch_seq: 1,
            fetched_at: new Date(),
            source: 'import',
          },
        })
        .execute()
      const again = await openConsole(sandbox, { database: console_.database })
      await requestImport(again.system, 'test')
      await runImport(again.system, live())
      await again.runJobs()
      await again.close()
      await expectTruth(console_)
      const audited = await console_.ctx.db.selectFrom('audit_entries').select(['action', 'resource_id']).execute()
      expect(audited).toContainEqual({ action: 'mirror.empty', resource_id: 'acct_of_before' })
    }))
})
