import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  anchor,
  cutBehind,
  entryAt,
  setHeadBack,
  tamper as tamperWith,
  verify as verifyLog,
  verifyQuietly,
  writeEntries,
} from '../../../test/audit-log.ts'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { request } from '../../../test/request.ts'
import { startJobs } from '../../platform/job.ts'
import { auditJobs, createHeadKeeper } from './index.ts'
import { walkChain } from './walk-chain.ts'

let folder: string
let t: TestContext

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
  t = await createTestContext({ env: { DATA_DIR: folder } })
  await writeEntries(t, 20)
  await anchor(t)
})
afterEach(async () => {
  await t.close()
  await rm(folder, { recursive: true })
})

const caller = () => request(t.ctx).as(['admin.system'])
const tamper = (...statements: string[]) => tamperWith(t, ...statements)
const verify = () => verifyLog(t)

test('finds an untouched log intact, and is itself written down', async () => {
  const verification = await verify()
  expect(verification).toMatchObject({ state: 'intact', finding: null, started_by: 'Test custom' })
  expect(verification.checked).toBe(verification.total)
  const { entries } = (await caller().get('/admin/audit?resource=audit')).json()
  expect(entries.map((one: { action: string }) => one.action)).toEqual(['audit.verify_end', 'audit.verify'])
})

const columns = [
  `after = '{"n": 8}'`,
  `before = null`,
  `actor_name = 'Nobody'`,
  `at = at + interval '1 microsecond'`,
  `outcome = 'failed'`,
  `address = '10.0.0.1'`,
  `request_id = 'other'`,
]
test.each(columns)('names the entry of which one value was altered: %s', async (change) => {
  const id = await entryAt(t, 7)
  await tamper(`update audit_entries set ${change} where id = ${id}`)
  expect(await verify()).toMatchObject({ state: 'broken', finding: { kind: 'altered', seq: 7, entry_id: id } })
})

test('names the first of several', async () => {
  const [first, later] = [await entryAt(t, 5), await entryAt(t, 6)]
  await tamper(`update audit_entries set action = 'x.y' where id in (${first}, ${later})`)
  const { finding } = await verify()
  expect(finding).toMatchObject({ seq: 5, entry_id: first })
  expect(finding?.message).toContain(`Entry ${first} at place 5`)
})

test('names a link that was altered', async () => {
  await tamper(`update audit_chain set hash = sha256('other') where seq = 9`)
  expect((await verify()).finding).toMatchObject({ kind: 'altered', seq: 9 })
})

test('names an entry that was deleted', async () => {
  const id = await entryAt(t, 4)
  await tamper(`delete from audit_entries where id = ${id}`)
  expect((await verify()).finding).toMatchObject({ kind: 'missing', seq: 4, entry_id: id })
})

test('names the place of an entry that was deleted with its link', async () => {
  const id = await entryAt(t, 1)
  await tamper(`delete from audit_chain where seq = 1`, `delete from audit_entries where id = ${id}`)
  const { finding } = await verify()
  expect(finding).toMatchObject({ kind: 'missing', seq: 1, entry_id: null })
  expect(finding?.message).toBe('Place 1 of the chain is missing; its entry was deleted with it.')
})

test('names the entry whose link alone was deleted', async () => {
  const id = await entryAt(t, 6)
  await tamper(`delete from audit_chain where seq = 6`)
  expect((await verify()).finding).toMatchObject({ kind: 'missing', seq: 6, entry_id: id })
})

test('finds a tail that was cut off', async () => {
  await tamper(...cutBehind(15))
  expect((await verifyQuietly(t)).finding).toMatchObject({ kind: 'cut', seq: 16 })
})

test('finds it too when the head was set back, by what was written outside the database', async () => {
  const keeper = t.ctx.instance(createHeadKeeper)
  await keeper.start()
  await tamper(...cutBehind(15), setHeadBack)
  const { finding } = await verifyQuietly(t)
  expect(finding).toMatchObject({ kind: 'cut', seq: 16, entry_id: null })
  expect(finding?.message).toContain('had come to 20')
  await keeper.stop()
})

test('finds a chain that was made anew, and from where on', async () => {
  const keeper = t.ctx.instance(createHeadKeeper)
  await keeper.start()
  await writeEntries(t, 1)
  await keeper.stop()
  await tamper(
    ...cutBehind(15),
    `delete from audit_entries where id = ${await entryAt(t, 15)}`,
    `delete from audit_chain where seq = 15`,
    setHeadBack,
  )
  await writeEntries(t, 10)
  const { finding } = await verify()
  expect(finding).toMatchObject({ kind: 'head', seq: 20, entry_id: await entryAt(t, 20) })
})

test('finds an entry that was written around the chain', async () => {
  await tamper(`insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type)
    values (now(), 'user', 'u', 'U', 'user.create', 'user')`)
  const { rows } = await t.ctx.pool.query('select max(id) as id from audit_entries')
  expect((await verify()).finding).toMatchObject({ kind: 'unchained', seq: null, entry_id: String(rows[0].id) })
})

test.each([
  [`update audit_head set hash = sha256('other')`],
  [`update audit_head set seq = seq - 1`],
  [`delete from audit_head`],
])('finds a head that does not fit: %s', async (change) => {
  await tamper(change)
  expect((await verifyQuietly(t)).finding).toMatchObject({ kind: 'head' })
})

test('that finds something tells the administrators', async () => {
  await tamper(`update audit_entries set after = null where id = ${await entryAt(t, 3)}`)
  const { finding } = await verify()
  const { notifications } = (await request(t.ctx).as('super_admin').get('/notifications')).json()
  expect(notifications[0]).toMatchObject({ title: 'The audit log is not intact', body: finding?.message })
})

test('goes on from where another process left it, and not from before', async () => {
  await tamper(`update audit_entries set after = null where id in (${await entryAt(t, 5)}, ${await entryAt(t, 15)})`)
  expect(await verifyQuietly(t, 10)).toMatchObject({ state: 'broken', checked: 14, finding: { seq: 15 } })
})

test('runs once at a time, can be stopped, and then does not go on', async () => {
  const first = (await caller().post('/admin/audit/verify')).json().verification
  const second = (await caller().post('/admin/audit/verify')).json().verification
  expect(second.id).toBe(first.id)
  const cancelled = (await caller().post('/admin/audit/verify/cancel')).json().verification
  expect(cancelled).toMatchObject({ id: first.id, state: 'cancelled' })
  await t.runJobs()
  expect((await caller().get('/admin/audit/chain')).json().verification).toMatchObject({ state: 'cancelled' })
  expect((await caller().post('/admin/audit/verify/cancel')).json()).toMatchObject({ status: 409, code: 'conflict' })
})

test('is started every day by itself', async () => {
  await runJob(t.ctx, 'audit.verify-daily')
  await t.runJobs()
  const { verification } = (await caller().get('/admin/audit/chain')).json()
  expect(verification).toMatchObject({ state: 'intact', started_by: 'audit.verify-daily' })
})

test('whose process died is taken up by the next one that starts', async () => {
  const { database, clock } = t
  await t.ctx.pool.query(
    `insert into audit_verifications (id, state, started_at, started_by, total) values ('v', 'running', now(), 'test', 0)`,
  )
  const next = await createTestContext({ env: { DATA_DIR: folder }, database, clock, jobs: 'real' })
  try {
    await startJobs(next.ctx, auditJobs)
    await eventually(async () => {
      const { verification } = (await caller().get('/admin/audit/chain')).json()
      expect(verification).toMatchObject({ id: 'v', state: 'intact', checked: 20 })
    })
  } finally {
    await next.close()
  }
})

test('that is cancelled while it walks goes no further', async () => {
  await t.ctx.pool.query(
    `insert into audit_verifications (id, state, started_at, started_by, total) values ('v', 'cancelled', now(), 'test', 0)`,
  )
  const { signal } = new AbortController()
  expect(await walkChain(t.ctx, { id: 'v', checked: 0 }, signal)).toEqual({ isCancelled: true })
})

test('that cannot end because the log takes no entry still tells what it found', async () => {
  await tamper('delete from audit_head')
  expect((await verifyQuietly(t)).finding).toMatchObject({
    kind: 'head',
    message: 'The head of the chain was deleted.',
  })
  const { notifications } = (await request(t.ctx).as('super_admin').get('/notifications')).json()
  expect(notifications[0]).toMatchObject({ title: 'The audit log is not intact' })
})
