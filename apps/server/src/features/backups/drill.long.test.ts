import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import type { Caller } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { backupAs, backupsEnv, rootOf } from './test/world.ts'

let t: TestContext
let root: Caller
let env: Record<string, string>

beforeAll(async () => {
  env = await backupsEnv()
  t = await createTestContext({ env })
  root = await rootOf(t)
  await insertRows(
    t.ctx.pool,
    'payments',
    Array.from({ length: 40 }, (_, n) => ({ id: `pi_${n}`, amount_captured: 1000 })),
  )
})
afterAll(() => t?.close())

const plan = async () => (await root.get('/admin/backup-plan')).json()

test('restores the newest backup into a cluster of its own, which is gone afterwards', async () => {
  await backupAs(t, root, 'Good')
  const begun = (await root.post('/admin/backup-plan/drill')).json().drill
  expect(begun).toMatchObject({ state: 'open', backup_name: 'Good' })
  expect((await root.post('/admin/backup-plan/drill')).statusCode).toBe(409)
  await t.runJobs()
  const { drills, proven_at } = await plan()
  expect(drills[0]).toMatchObject({ id: begun.id, state: 'done', reason: null, report: { rows: expect.any(Number) } })
  expect(drills[0].report.tables).toBeGreaterThan(100)
  expect(Date.parse(proven_at)).toBe(Date.parse(drills[0].finished_at))
  expect(existsSync(join(env['DATA_DIR'] ?? '', 'drill'))).toBe(false)
})

test('finds rows that were lost before the backup was made, and tells', async () => {
  await t.ctx.pool.query(
    `alter table payments disable trigger user; delete from payments where id = 'pi_7'; alter table payments enable trigger user`,
  )
  await backupAs(t, root, 'With a hole')
  await root.post('/admin/backup-plan/drill')
  await t.runJobs()
  const { drills, proven_at } = await plan()
  expect(drills[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('Rows are missing or wrong') })
  expect(Date.parse(proven_at)).toBe(Date.parse(drills[1].finished_at))
  const { notifications } = (await root.get('/notifications')).json()
  expect(notifications[0]).toMatchObject({ title: 'Restore drill failed: With a hole' })
})

test('begins by itself a week after the last one', async () => {
  const count = async () => (await plan()).drills.length
  const before = await count()
  await runJob(t.ctx, 'backups.drill_sweep')
  expect(await count()).toBe(before)
  t.clock.advance(7 * 86_400_000 + 1)
  await runJob(t.ctx, 'backups.drill_sweep')
  expect(await count()).toBe(before + 1)
})
