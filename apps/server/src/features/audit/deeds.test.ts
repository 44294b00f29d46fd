import type { AuditEntry, AuditStep } from '@agency/contract/types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { insertSite } from '../../../test/deployment-rows.ts'
import { readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
const site = `site_${'d'.repeat(16)}`
const minute = (at: number) => new Date(Date.parse('2026-11-01T00:00:00Z') + at * 60_000).toISOString()
const grace = { actor_type: 'user', actor_id: 'usr_grace', actor_name: 'Grace' }
const job = { actor_type: 'job', actor_id: 'deployments.run', actor_name: 'deployments.run' }

type Row = Record<string, unknown>
const refund = (state: string, id: string, row: Row = {}): Row => ({
  ...{ action: 'payment.refund', resource_type: 'payment', resource_id: 'pi_1', ...grace },
  after: { state, action_id: id, amount: 100, currency: 'usd' },
  outcome: state === 'failed' ? 'failed' : 'done',
  ...row,
})
const login: Row = { action: 'session.sign_in', resource_type: 'session', resource_id: 'ses_1' }
const suspension = (action: string, resource_type: string, resource_id: string, after: Row): Row => ({
  ...{ action, resource_type, resource_id, after, ...grace },
})

/** Deeds lie across each other, so that every page of a few lines cuts some of them apart. */
const entries: Row[] = [
  refund('requested', 'a1'),
  login,
  refund('requested', 'a2'),
  refund('done', 'a1', job),
  suspension('customer.suspend', 'customer', 'cus_1', { state: 'requested', run_id: 'run_1' }),
  suspension('subscription.pause', 'subscription', 'sub_1', { state: 'done', run_id: 'run_1' }),
  login,
  refund('failed', 'a2', job),
  suspension('site.suspend', 'site', site, { state: 'requested', deed_id: 'run_1' }),
  suspension('customer.suspend', 'customer', 'cus_1', { state: 'done', run_id: 'run_1' }),
  { ...suspension('deployment.create', 'deployment', 'dep_1', { status: 'queued', site_id: site }), ...job },
  suspension('site.suspend', 'site', site, { state: 'done', deed_id: 'run_1' }),
  { action: 'payment.refund', resource_type: 'payment', resource_id: 'pi_1', outcome: 'denied' },
  { ...suspension('deployment.succeed', 'deployment', 'dep_1', { status: 'success', site_id: site }), ...job },
  login,
]

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [{ id: 'cus_1', name: 'Pinecrest Dental', email: 'hello@pinecrest.example' }])
  await insertRows(pool, 'payments', [{ id: 'pi_1', customer_id: 'cus_1' }])
  await insertSite(pool, { id: site, name: 'Harbour Bakery' })
  await insertRows(
    pool,
    'audit_entries',
    entries.map((row, at) => ({ ...row, at: minute(at) })),
  )
})
afterAll(() => t.close())

const get = async (path: string) => (await request(t.ctx).as(['admin.system']).get(path)).json()
type Line = [minute: number, details: string, who: string, outcome: string, steps: number]
async function lines(query = ''): Promise<Line[]> {
  const answer = (await get(`/admin/audit?group=deed&limit=100&${query}`)) as { entries: AuditEntry[] }
  return answer.entries.map(({ created_at, details, user_name, outcome, steps }) => [
    ...([(Date.parse(created_at) - Date.parse(minute(0))) / 60_000, details] as [number, string]),
    ...([user_name, outcome, steps] as [string, string, number]),
  ])
}

const deployed: Line = [10, 'Deployed the deployment dep_1', 'Deploy sites', 'done', 2]
const suspended: Line = [4, 'Suspended Pinecrest Dental', 'Grace', 'done', 5]
const failed: Line = [2, 'Could not refund $1.00 to Pinecrest Dental', 'Grace', 'failed', 2]
const refunded: Line = [0, 'Refunded $1.00 to Pinecrest Dental', 'Grace', 'done', 2]

test('one deed is one line where it began, with how far it is and who did it', async () => {
  const signedIn = (at: number): Line => [at, 'Signed in', 'U', 'done', 1]
  expect(await lines()).toEqual([
    signedIn(14),
    [12, 'Tried to refund the remaining amount to Pinecrest Dental (denied)', 'U', 'denied', 1],
    deployed,
    signedIn(6),
    suspended,
    failed,
    signedIn(1),
    refunded,
  ])
})

test('pages of any size have every deed once, towards both sides', async () => {
  const all = ((await get('/admin/audit?group=deed')) as { entries: AuditEntry[] }).entries.map(({ id }) => id)
  expect(new Set(all).size).toBe(8)
  for (const limit of [1, 2, 3, 5]) {
    const path = `/admin/audit?group=deed&limit=${limit}`
    expect(await readAllForward(get, path, 'entries')).toEqual(all)
    expect(await readAllBackward(get, path, 'entries', all.at(-1))).toEqual(all.slice(0, -1))
  }
})

test('a deed is found by any of its entries and by how it ended, and stays one line', async () => {
  expect(await lines('actor=usr_grace')).toEqual([suspended, failed, refunded])
  expect(await lines('outcome=done&action=payment.refund')).toEqual([refunded])
  // Found by the entry that failed, which the console itself wrote.
  expect(await lines('outcome=failed')).toEqual([[7, ...failed.slice(1)]])
  expect(await lines('outcome=failed&actor=usr_grace')).toEqual([failed])
  expect(await lines('outcome=denied')).toHaveLength(1)
  expect(await lines('resource=site')).toEqual([[8, ...suspended.slice(1)]])
})

test.each([
  ['the name of a customer', 'pinecrest', [suspended, failed, refunded]],
  ['the name of a site', 'harbour', [deployed, [8, ...suspended.slice(1)]]],
  ['the id of a customer', 'cus_1', [suspended, failed, refunded]],
  ['the id of a deployment', 'dep_1', [deployed]],
  ['who did it', 'grace', [suspended, failed, refunded]],
  ['nothing that there is', 'nowhere', []],
] as const)('is searched by %s', async (_words, search, found) => {
  const wanted = (await lines(`search=${search}`)).filter(([, details]) => !details.startsWith('Tried'))
  expect(wanted).toEqual(found)
})

test('an entry tells of its deed with all states, and the log of entries stays whole', async () => {
  const { entries: raw } = (await get('/admin/audit')) as { entries: AuditEntry[] }
  expect(raw).toHaveLength(entries.length)
  const last = raw.find(({ action }) => action === 'site.suspend')
  const details = (await get(`/admin/audit/entries/${last?.id}`)) as { deed: AuditEntry; steps: AuditStep[] }
  expect(details.deed).toMatchObject({ details: 'Suspended Pinecrest Dental', user_name: 'Grace', steps: 5 })
  expect(details.steps.map((step) => step.details)).toEqual([
    'Started to suspend Pinecrest Dental',
    'Paused collection of the subscription sub_1',
    'Started to suspend Harbour Bakery',
    'Suspended Pinecrest Dental',
    'Suspended Harbour Bakery',
  ])
  const alone = raw.find(({ action }) => action === 'session.sign_in')
  expect((await get(`/admin/audit/entries/${alone?.id}`)) as object).toMatchObject({ steps: [], deed: { steps: 1 } })
})

test('refuses another way of grouping', async () => {
  expect(await get('/admin/audit?group=day')).toMatchObject({ status: 400, parameter: 'group' })
})
