import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { asSystem, inTransaction, type TransactionContext } from '../../context.ts'
import * as notifications from './index.ts'

let one: TestContext

beforeAll(async () => {
  one = await createTestContext({ now: '2026-03-01T09:00:00Z' })
})

afterAll(async () => {
  await one?.close()
})

beforeEach(async () => {
  await one.ctx.db.deleteFrom('notifications').execute()
})

const system = () => asSystem(one.ctx, 'job', 'test')
const tell = (dedupeKey: string, permission: notifications.NewNotification['permission'] = 'billing.read') =>
  inTransaction(system(), (tx) =>
    notifications.notify(tx, { dedupeKey, type: 'import.finished', severity: 'info', permission, title: dedupeKey }),
  )
const list = async (who: Parameters<ReturnType<typeof request>['as']>[0]) => {
  const response = await request(one.ctx).as(who).get('/notifications')
  expect(response.statusCode).toBe(200)
  return response.json() as { notifications: { id: string; title: string; read: boolean }[]; unread_count: number }
}

describe('notifications', () => {
  test('come once per cause, the newest first', async () => {
    expect(await tell('a')).toBe(true)
    one.clock.advance(1000)
    expect(await tell('b')).toBe(true)
    expect(await tell('a')).toBe(false)
    const { notifications: shown, unread_count } = await list('admin')
    expect([shown.map(({ title }) => title), unread_count]).toEqual([['b', 'a'], 2])
  })

  test('are not told of what was rolled back', async () => {
    const rolledBack = inTransaction(system(), async (tx) => {
      await notifications.notify(tx, {
        dedupeKey: 'x',
        type: 'import.finished',
        severity: 'info',
        permission: 'billing.read',
        title: 'x',
      })
      throw new Error('undone')
    })
    await expect(rolledBack).rejects.toThrow('undone')
    expect((await list('admin')).notifications).toEqual([])
  })

  test('are for those who may see what they are about', async () => {
    await tell('billing')
    await tell('security', 'admin.system')
    expect((await list('super_admin')).unread_count).toBe(2)
    expect((await list('admin')).notifications.map(({ title }) => title)).toEqual(['billing'])
    expect(await list([])).toEqual({ notifications: [], unread_count: 0 })
  })

  test('are read by each administrator alone', async () => {
    await tell('a')
    await tell('b')
    const { notifications: shown } = await list('admin')
    const read = await request(one.ctx)
      .as('admin')
      .post('/notifications/read', { ids: [shown[0]!.id, 'unknown'] })
    expect(read.json()).toEqual({ unread_count: 1 })
    expect((await list('admin')).notifications.map(({ read }) => read)).toEqual([true, false])
    expect((await list('super_admin')).unread_count).toBe(2)
    const all = await request(one.ctx).as('admin').post('/notifications/read')
    expect(all.json()).toEqual({ unread_count: 0 })
    expect((await list('super_admin')).unread_count).toBe(2)
  })

  test('that an administrator may not see cannot be marked by its id', async () => {
    await tell('security', 'admin.system')
    const { id } = (await list('super_admin')).notifications[0]!
    await request(one.ctx)
      .as('admin')
      .post('/notifications/read', { ids: [id] })
    const rows = await one.ctx.db.selectFrom('notification_reads').select('actor_id').execute()
    expect(rows).toEqual([])
  })

  test('shows thirty, counts all', async () => {
    for (let count = 0; count < 35; count++) await tell(`n${count}`)
    const { notifications: shown, unread_count } = await list('admin')
    expect([shown.length, unread_count]).toEqual([30, 35])
  })

  test('are forgotten after ninety days', async () => {
    await tell('old')
    one.clock.advance(91 * 86_400_000)
    await tell('new')
    await runJob(one.ctx, 'notifications.forget')
    expect((await list('admin')).notifications.map(({ title }) => title)).toEqual(['new'])
  })

  test.each([[{ ids: 'all' }], [{ id: 'x' }], [{ ids: Array(201).fill('x') }]])('refuses %j', async (body) => {
    expect((await request(one.ctx).as('admin').post('/notifications/read', body)).statusCode).toBe(400)
  })
})

describe('what is told', () => {
  const texts = async (work: (tx: TransactionContext) => Promise<boolean>) => {
    await inTransaction(system(), work)
    const row = await one.ctx.db
      .selectFrom('notifications')
      .select(['title', 'body', 'link', 'severity'])
      .executeTakeFirst()
    return [row?.severity, row?.title, row?.body, row?.link]
  }

  test('of a failed payment: who, how much, why', async () => {
    const payment = {
      id: 'pi_1',
      amount: 123_450,
      currency: 'usd',
      customerId: null,
      customerName: 'Ada & Co',
      reason: 'Card declined.',
    }
    expect(await texts((tx) => notifications.notifyPaymentFailed(tx, payment))).toEqual([
      'warning',
      'Payment of $1,234.50 by Ada & Co failed',
      'Card declined.',
      '/admin/payments?open=pi_1',
    ])
  })

  test('of a dispute: until when there is time', async () => {
    const dispute = {
      id: 'dp_1',
      paymentId: 'pi_1',
      amount: 5000,
      currency: 'jpy',
      customerId: null,
      customerName: null,
      reason: 'product_not_received',
      evidenceDueAt: new Date('2026-03-20T23:59:59Z'),
    }
    expect(await texts((tx) => notifications.notifyDisputeOpened(tx, dispute))).toEqual([
      'error',
      'A payment of ¥5,000 is disputed',
      'Reason: product not received. Evidence is due by Mar 20, 2026.',
      '/admin/payments?open=pi_1',
    ])
  })

  test('of drift: whether all of it was repaired', async () => {
    expect(await texts((tx) => notifications.notifyDrift(tx, { id: 'r', differed: 1200, repaired: 1198 }))).toEqual([
      'warning',
      '1,200 Stripe records were out of date',
      '2 could not be fixed.',
      '/admin/health',
    ])
  })

  test('of an import that is finished, and of one that failed', async () => {
    expect(await texts((tx) => notifications.notifyImportFinished(tx, { id: 'i', objects: 1 }))).toEqual([
      'success',
      'Imported everything from Stripe',
      '1 record imported. Changes now arrive automatically.',
      '/admin/health',
    ])
    await one.ctx.db.deleteFrom('notifications').execute()
    expect(await texts((tx) => notifications.notifyImportFailed(tx, { id: 'i', error: 'Stripe refused.' }))).toEqual([
      'error',
      'The import from Stripe failed',
      'Stripe refused.',
      '/admin/health',
    ])
  })

  test('of a change that could not be applied', async () => {
    const event = { id: 'evt_1', type: 'invoice.paid', error: 'The customer is missing.' }
    expect(await texts((tx) => notifications.notifyDeadEvent(tx, event))).toEqual([
      'error',
      'A Stripe change could not be applied (invoice.paid)',
      'The customer is missing. Retry under System Health.',
      '/admin/health',
    ])
  })
})
