import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import type { Caller } from '../../../test/request.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { backupAs, backupsEnv, rootOf } from './test/world.ts'

let t: TestContext
let root: Caller
let env: Record<string, string>

beforeAll(async () => {
  env = await backupsEnv()
  t = await createTestContext({ env })
  root = await rootOf(t)
})
afterAll(() => t?.close())

const plan = async () => (await root.get('/admin/backup-plan')).json()

test('there is nothing to prove without a backup', async () => {
  expect((await root.post('/admin/backup-plan/drill')).statusCode).toBe(409)
  expect(await plan()).toMatchObject({ drills: [], proven_at: null, kit_printed_at: null })
})

test('the schedule begins what is due once, and keeps so many', async () => {
  // What somebody asked for is not the schedule's to delete.
  await backupAs(t, root, 'Asked for')
  const { version } = (await plan()).plan
  const saved = await root.inject({
    ...{ method: 'PUT', url: '/api/admin/backup-plan', headers: { 'content-type': 'application/json' } },
    payload: JSON.stringify({ cadence: 'daily', weekday: 0, hour: 3, keep: 2, version }),
  })
  expect(saved.json().plan).toMatchObject({ cadence: 'daily', keep: 2, version: version + 1 })
  for (let day = 0; day < 4; day++) {
    t.clock.advance(86_400_000)
    await runJob(t.ctx, 'backups.make_sweep')
    await runJob(t.ctx, 'backups.make_sweep')
    await t.runJobs()
  }
  await runJob(t.ctx, 'backups.make_sweep')
  const { backups } = (await root.get('/admin/backups?limit=100')).json()
  const scheduled = backups.filter(({ cause }: { cause: string }) => cause === 'schedule')
  expect(scheduled).toHaveLength(2)
  expect(scheduled.every(({ state }: { state: string }) => state === 'done')).toBe(true)
  expect(backups.some(({ name }: { name: string }) => name === 'Asked for')).toBe(true)
  const { rows } = await t.ctx.pool.query(`select count(*)::int as n from audit_entries where action = 'backup.expire'`)
  expect(rows[0].n).toBe(2)
  const stale = await root.inject({
    ...{ method: 'PUT', url: '/api/admin/backup-plan', headers: { 'content-type': 'application/json' } },
    payload: JSON.stringify({ cadence: 'off', weekday: 0, hour: 3, keep: 2, version }),
  })
  expect(stale.statusCode).toBe(409)
})

test('the recovery kit is told once for each key', async () => {
  const body = { identity_proof: testAdminKey }
  const kit = await root.post('/admin/backup-plan/kit', body)
  expect(kit.json()).toMatchObject({
    secrets_key: env['SECRETS_KEY'],
    command: expect.stringContaining('npm run restore'),
  })
  expect((await root.post('/admin/backup-plan/kit', body)).statusCode).toBe(409)
  const fresh = (await root.post('/admin/backup-plan/kit', { ...body, renew: true })).json()
  expect(fresh.backup_key).not.toBe(kit.json().backup_key)
  const next = await backupAs(t, root, 'With the new key')
  expect(next.state).toBe('done')
  const wrong = await root.post('/admin/backup-plan/kit', { identity_proof: 'no-such-key-here-at-all', renew: true })
  expect([wrong.statusCode, wrong.json().parameter]).toEqual([400, 'identity_proof'])
  const { rows } = await t.ctx.pool.query(`select after::text from audit_entries where action = 'recovery_kit.print'`)
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain(fresh.backup_key)
})
