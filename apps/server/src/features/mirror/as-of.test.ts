import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { emptyMirror } from './queries/account.ts'
import { insertImport, patchImport } from './queries/imports.ts'

const started = '2026-11-21T11:00:00Z'
let t: TestContext

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
})
beforeEach(async () => {
  await emptyMirror(t.ctx.db)
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_1' }])
  await expect.poll(ages).toEqual(all(null))
})
afterAll(() => t.close())

const paths = [
  '/stripe/customers',
  '/stripe/subscriptions',
  '/stripe/payments',
  '/stripe/plans',
  '/stripe/customers/cus_1/invoices',
  '/v1/admin/purchases',
  '/v1/admin/purchased-sites',
  '/mirror',
]

/** What each list and the progress bar say of their age. */
async function ages(): Promise<(string | null)[]> {
  const admin = request(t.ctx).as('super_admin')
  const answers = await Promise.all(paths.map((path) => admin.get(path)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 200))
  const { stats } = (await admin.get('/stripe/stats')).json()
  return [...answers.map((answer) => answer.json().as_of), stats.as_of]
}

const all = (age: string | null) => [...paths.map(() => age), age]

const begin = (id: string, startedAt: string) =>
  insertImport(t.ctx.db, { id, reason: 'first', startedAt: new Date(startedAt), startedSeq: 0, objects: ['customers'] })
const end = (id: string, state: 'done' | 'failed' | 'cancelled') =>
  patchImport(t.ctx.db, id, { state, finishedAt: new Date(t.ctx.clock()) })
const compare = (startedAt: string, state: string) =>
  t.ctx.pool.query(`insert into drift_reports (id, kind, state, started_at) values ($1, 'events', $2, $3)`, [
    `${state} ${startedAt}`,
    state,
    startedAt,
  ])

describe('how old what is mirrored is', () => {
  test('is not known before the first import and while it runs, and the lists answer all the same', async () => {
    expect(await ages()).toEqual(all(null))
    await begin('imp_1', started)
    await compare('2026-11-21T11:30:00Z', 'done')
    expect(await ages()).toEqual(all(null))
  })

  test('is told as soon as the first import is complete: all that Stripe knew when it began is here', async () => {
    await begin('imp_1', started)
    expect(await ages()).toEqual(all(null))
    await end('imp_1', 'done')
    await expect.poll(ages).toEqual(all(started))
  })

  test('stays unknown when the first import fails or is cancelled', async () => {
    await begin('imp_1', started)
    await end('imp_1', 'failed')
    await begin('imp_2', started)
    await end('imp_2', 'cancelled')
    expect(await ages()).toEqual(all(null))
  })

  test('moves with every comparison that ended well, and another import takes nothing away', async () => {
    await begin('imp_1', started)
    await end('imp_1', 'done')
    await compare('2026-11-21T11:30:00Z', 'done')
    await compare('2026-11-21T11:40:00Z', 'failed')
    await begin('imp_2', '2026-11-21T11:50:00Z')
    await expect.poll(ages).toEqual(all('2026-11-21T11:30:00Z'))
  })
})
