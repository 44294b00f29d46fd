import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import type { Caller } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { backupAs, backupsEnv, restoreAs, rootOf } from './test/world.ts'

const bucket = 'console-backups'
let server: S3rver
let directory: string
let t: TestContext
let root: Caller
let env: Record<string, string>

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

let port: number
const startServer = async (): Promise<void> => {
  server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  await server.run()
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 's3rver-'))
  port = await freePort()
  await startServer()
  env = {
    ...(await backupsEnv()),
    ...{ S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: bucket, S3_REGION: 'us-east-1' },
    ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
  }
  t = await createTestContext({ env })
  root = await rootOf(t)
  await insertRows(
    t.ctx.pool,
    'payments',
    Array.from({ length: 200 }, (_, n) => ({ id: `pi_${n}`, amount_captured: 1000 })),
  )
})
afterAll(async () => {
  await t?.close()
  await server?.close()
  await rm(directory, { recursive: true, force: true })
})

const objects = async (): Promise<string[]> =>
  (await readdir(join(directory, bucket))).filter((name) => name.includes('bak_'))
const localFile = (id: string) => join(env['DATA_DIR'] ?? '', 'backups', `${id}.backup`)
const paymentCount = async () => (await t.ctx.pool.query('select count(*)::int as n from payments')).rows[0].n

describe('with a store', () => {
  test('a backup is done once it was read back from there, is restored from there alone, and deleted there', async () => {
    const backup = await backupAs(t, root, 'Stored')
    expect(backup).toMatchObject({ state: 'done', is_here: true, stored_at: expect.any(String) })
    expect((await root.get('/admin/backups')).json().store).toBe(`${bucket} at 127.0.0.1:${port}`)
    expect((await objects()).some((name) => name.includes(backup.id))).toBe(true)
    await rm(localFile(backup.id))
    await t.ctx.pool.query(`insert into payments (id, amount, currency, status, stripe_status, created_at, raw, fetch_seq, fetched_at, source)
      values ('pi_late', 1, 'usd', 'succeeded', 'succeeded', now(), '{}', 1, now(), 'backfill')`)
    expect(await paymentCount()).toBe(201)
    const restore = await restoreAs(t, root, { ...backup, is_here: false })
    expect(restore.state).toBe('done')
    expect(await paymentCount()).toBe(200)
    await root.delete(`/admin/backups/${backup.id}`)
    expect((await objects()).some((name) => name.includes(backup.id))).toBe(false)
  })

  test('one that changes what it was given is found out', async () => {
    const { id } = (await root.post('/admin/backups', { type: 'full', name: 'Altered' })).json().backup
    let isAltered = false
    const watch = setInterval(async () => {
      const [name] = (await objects()).filter((one) => one.includes(id) && one.includes('object'))
      if (!name || isAltered) return
      const path = join(directory, bucket, name)
      if ((await stat(path)).size < 5000) return
      isAltered = true
      await writeFile(path, 'not what it was')
    }, 1)
    await t.runJobs()
    clearInterval(watch)
    const backup = (await root.get(`/admin/backups/${id}`)).json().backup
    expect(isAltered ? backup.state : 'failed').toBe('failed')
    if (isAltered) expect(backup).toMatchObject({ is_here: false, stored_at: null })
  })

  test('one that is gone makes a backup fail, after it was tried again', async () => {
    await server.close()
    const { id } = (await root.post('/admin/backups', { type: 'full', name: 'Alone' })).json().backup
    for (let tries = 0; tries < 3; tries++) {
      await t.runJobs()
      t.clock.advance(3_600_000)
    }
    const backup = (await root.get(`/admin/backups/${id}`)).json().backup
    expect(backup).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/^The store did not take the backup/),
    })
    await startServer()
    expect((await backupAs(t, root, 'Back again')).state).toBe('done')
  })
})
