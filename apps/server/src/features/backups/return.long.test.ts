import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import type { Caller } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { backupAs, backupsEnv, newestRestore, restoreAs, rootOf } from './test/world.ts'

let t: TestContext
let root: Caller
let env: Record<string, string>

beforeAll(async () => {
  env = await backupsEnv()
  t = await createTestContext({ env })
  root = await rootOf(t)
  await payments('before', 20)
})
afterAll(() => t?.close())

const sql = async (text: string, values: unknown[] = []) => (await t.ctx.pool.query(text, values)).rows
const payments = (prefix: string, count: number) =>
  insertRows(
    t.ctx.pool,
    'payments',
    Array.from({ length: count }, (_, n) => ({ id: `pi_${prefix}_${n}`, amount_captured: 1000 })),
  )
const countPayments = async () => (await sql('select count(*)::int as n from payments'))[0].n

describe('a restore', () => {
  test('replaces the data, and shows what is in place', async () => {
    const backup = await backupAs(t, root, 'Monday')
    await payments('after', 7)
    await restoreAs(t, root, backup)
    expect(await countPayments()).toBe(20)
  })

  test('is taken back with one call, and that too', async () => {
    const restore = await newestRestore(root)
    const back = await root.post(`/admin/restores/${restore.id}/return`, { identity_proof: testAdminKey })
    expect(back.statusCode).toBe(200)
    await t.runJobs()
    expect(await countPayments()).toBe(27)
    expect(await newestRestore(root)).toMatchObject({ kind: 'return', state: 'done', can_return: true })
    const { restores } = (await root.get('/admin/restores')).json()
    expect(restores[1]).toMatchObject({ id: restore.id, state: 'returned', can_return: false })
    const again = await newestRestore(root)
    await root.post(`/admin/restores/${again.id}/return`, { identity_proof: testAdminKey })
    await t.runJobs()
    expect(await countPayments()).toBe(20)
  })

  test('what it replaced is dropped after a week', async () => {
    t.clock.advance(8 * 86_400_000)
    await runJob(t.ctx, 'backups.restore_sweep')
    expect((await newestRestore(root)).can_return).toBe(false)
    expect(await sql(`select to_regnamespace('set_aside') as found`)).toEqual([{ found: null }])
    const late = await root.post(`/admin/restores/${(await newestRestore(root)).id}/return`, {
      identity_proof: testAdminKey,
    })
    expect([late.statusCode, late.json().detail]).toEqual([409, expect.stringContaining('deleted after 7 days')])
  })

  test('that fails leaves all as it is, and says so', async () => {
    const backup = await backupAs(t, root, 'Thursday')
    const before = await countPayments()
    const file = join(env['DATA_DIR'] ?? '', 'backups', `${backup.id}.backup`)
    const bytes = await readFile(file)
    bytes.writeUInt8(bytes[bytes.length - 5000]! ^ 1, bytes.length - 5000)
    await writeFile(file, bytes)
    const restore = await restoreAs(t, root, backup)
    expect(restore).toMatchObject({ state: 'failed', reason: expect.stringContaining('damaged'), can_return: false })
    expect(await countPayments()).toBe(before)
    const [failure] = await sql(
      `select after from audit_entries where action = 'backup.restore' order by id desc limit 1`,
    )
    expect(failure.after).toMatchObject({ step: 'load', name: 'Thursday' })
    await runJob(t.ctx, 'backups.restore_sweep')
    expect(await sql(`select to_regnamespace('restoring') as found`)).toEqual([{ found: null }])
    const { notifications } = (await root.get('/notifications')).json()
    expect(notifications[0]).toMatchObject({ title: 'Restore failed: Thursday' })
  })
})
