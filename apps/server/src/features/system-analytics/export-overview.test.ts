import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { eventually } from '../../../test/eventually.ts'
import { exportsEnv, takeFile } from '../../../test/exports.ts'
import { type Caller, request } from '../../../test/request.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { makeSite } from '../../../test/sites.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'

let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({
    now: '2026-03-10T12:00:00Z',
    env: { ...(await exportsEnv()), ADMIN_KEY: testAdminKey },
  })
  await ensureAdminKey(asSystem(t.ctx, 'job', 'start'))
  root = request(t.ctx).withKey(testAdminKey)
})
afterAll(() => t?.close())

const order = (format: string, date_range = { start_date: '2026-03-09', end_date: '2026-03-10' }) => ({
  ...{ format, report_type: 'system_overview', date_range },
})
/** Ordered, and its job is in the queue; the call waits for it. By the fixed clock it waits however long that takes. */
async function ordered(body: object) {
  const answer = root.post('/admin/analytics/export', body)
  await eventually(() => expect(t.enqueued.some(({ name }) => name.startsWith('export'))).toBe(true))
  return { answer }
}
async function exported(body: object) {
  const { answer } = await ordered(body)
  await t.runJobs()
  return answer
}

test('answers the link of a file with all figures, what is not known empty', async () => {
  const site = await makeSite(root, { site_name: 'Harbour' })
  await t.ctx.pool.query(`insert into site_beacon_days values ($1, '2026-03-09', 2, 7, 1, true)`, [site.id])
  const answer = await exported(order('csv'))
  expect(answer.statusCode).toBe(200)
  const { success, data } = answer.json()
  expect(success).toBe(true)
  const file = await takeFile(t, data.download_url)
  const [head, ...rows] = parseCsv(file.body.slice(1))
  expect(head).toEqual(['Section', 'Date', 'Name', 'Metric', 'Value'])
  expect(rows).toContainEqual(['overview', '', '', 'total_sites', '1'])
  expect(rows).toContainEqual(['overview', '', '', 'active_customers', ''])
  expect(rows).toContainEqual(['daily_events', '2026-03-09', '', 'events', '8'])
  expect(rows).toContainEqual(['daily_events', '2026-03-10', '', 'events', ''])
  expect(rows).toContainEqual(['top_sites', '', `Harbour (${site.domain})`, 'visitors', '2'])
})

test('also as JSON', async () => {
  const file = await takeFile(t, (await exported(order('json'))).json().data.download_url)
  expect(JSON.stringify(JSON.parse(file.body))).toContain('"total_sites"')
})

test('a file that takes longer than ten seconds is answered without its link', async () => {
  const { answer } = await ordered(order('csv'))
  t.clock.advance(10_000)
  const { export_id, download_url } = (await answer).json().data
  expect(download_url).toBeNull()
  await t.runJobs()
  expect((await root.get(`/exports/${export_id}`)).json().export.state).toBe('ready')
})

test.each([
  ['a format that it is not made in', order('xlsx')],
  ['another report', { ...order('csv'), report_type: 'everything' }],
  ['days that do not follow', order('csv', { start_date: '2026-03-11', end_date: '2026-03-12' })],
])('refuses %s, in the words of calls that say whether they succeeded', async (_name, body) => {
  const answer = await root.post('/admin/analytics/export', body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ success: false, error: { message: answer.json().detail } })
})

test('needs analytics.read', async () => {
  const answer = await request(t.ctx).as(['sites.read']).post('/admin/analytics/export', order('csv'))
  expect([answer.statusCode, answer.json().success]).toEqual([403, false])
})
