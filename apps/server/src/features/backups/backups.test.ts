import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { personAs } from '../../../test/exports.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { openSecretBox } from '../../platform/secrets.ts'
import { backupAs, backupsEnv, rootOf } from './test/world.ts'

let t: TestContext
let root: Caller
let env: Record<string, string>
let folder: string

beforeAll(async () => {
  env = await backupsEnv()
  folder = join(env['DATA_DIR'] ?? '', 'backups')
  t = await createTestContext({ env })
  root = await rootOf(t)
  await insertRows(
    t.ctx.pool,
    'payments',
    Array.from({ length: 300 }, (_, n) => ({ id: `pi_${n}`, amount_captured: 1000 })),
  )
})
afterAll(() => t?.close())

const sql = (text: string, values: unknown[] = []) => t.ctx.pool.query(text, values)
const entriesOf = async (id: string): Promise<string[]> =>
  (await sql('select action, outcome from audit_entries where resource_id = $1 order by id', [id])).rows.map(
    ({ action, outcome }) => `${action} ${outcome}`,
  )
const shown = async (id: string) => (await root.get(`/admin/backups/${id}`)).json().backup
const order = async (name = 'One'): Promise<string> =>
  (await root.post('/admin/backups', { type: 'full', name })).json().backup.id

describe('a full backup', () => {
  test('is done after it was read back, and says what is in it', async () => {
    const made = await backupAs(t, root, 'Before the spring release')
    expect(made).toMatchObject({
      ...{
        name: 'Before the spring release',
        type: 'full',
        cause: 'asked',
        state: 'done',
        is_here: true,
        reason: null,
      },
      ...{ made_by: 'Admin key', progress: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      tables: expect.arrayContaining([{ name: 'payments', rows: 300 }]),
      totals: expect.arrayContaining([
        { what: 'payments captured', key: 'succeeded usd', rows: 300, amount: '300000' },
      ]),
    })
    expect(made.size).toBeGreaterThan(0)
    expect(await entriesOf(made.id)).toEqual(['backup.create done', 'backup.finish done'])
    const { mode } = await stat(join(folder, `${made.id}.backup`))
    expect(mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.startsWith(made.id))).toEqual([`${made.id}.backup`])
    const { backups } = (await root.get('/admin/backups?search=spring&state=done')).json()
    expect(backups.map(({ id }: { id: string }) => id)).toEqual([made.id])
    expect((await root.get('/admin/backups?state=failed')).json().backups).toEqual([])
  })

  test('is sealed with a key that lies sealed itself', async () => {
    const { rows } = await sql('select id, sealed from backup_keys')
    expect(rows).toHaveLength(1)
    expect((await openSecretBox({ secretsKey: env['SECRETS_KEY'], dataDir: '/' })).open(rows[0].sealed)).toHaveLength(
      43,
    )
    const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.backup'))
    expect(JSON.stringify((await readFile(join(folder, file))).toString('latin1').slice(0, 400))).toContain(rows[0].id)
  })

  test('ordered twice under one key is one', async () => {
    const key = { 'idempotency-key': 'one-backup' }
    const body = { type: 'full', name: 'Once' }
    const [first, again] = [await root.post('/admin/backups', body, key), await root.post('/admin/backups', body, key)]
    expect(again.json().backup.id).toBe(first.json().backup.id)
    const other = await root.post('/admin/backups', { type: 'full', name: 'Another' })
    expect([other.statusCode, other.json().detail]).toEqual([
      409,
      'The backup Once is running. Wait until it is done, or cancel it first.',
    ])
    await t.runJobs()
  })

  test.each([
    [{ type: 'full', name: '  ' }, 'name'],
    [{ type: 'full', name: 'x'.repeat(121) }, 'name'],
    [{ type: 'differential', name: 'One' }, 'type'],
  ])('of %j is refused', async (body, parameter) => {
    const answer = await root.post('/admin/backups', body)
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
  })

  test('is for administrators of the system alone', async () => {
    for (const role of ['admin', 'support', 'readonly']) {
      const caller = await personAs(t, role)
      expect((await caller.get('/admin/backups')).statusCode).toBe(403)
      expect((await caller.post('/admin/backups', { type: 'full', name: 'One' })).statusCode).toBe(403)
    }
    expect((await request(t.ctx).anonymous().get('/admin/backups')).statusCode).toBe(401)
  })

  test('that is cancelled leaves no file, and cancelled twice changes nothing', async () => {
    const id = await order('Given up')
    for (let times = 0; times < 2; times++)
      expect((await root.post(`/admin/backups/${id}/cancel`)).json().backup.state).toBe('cancelled')
    await t.runJobs()
    await runJob(t.ctx, 'backups.make_sweep')
    expect((await shown(id)).state).toBe('cancelled')
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([])
    expect(await entriesOf(id)).toEqual(['backup.create done', 'backup.cancel done'])
    const done = await backupAs(t, root, 'Done')
    expect((await root.post(`/admin/backups/${done.id}/cancel`)).statusCode).toBe(409)
  })

  test('is deleted with its file', async () => {
    const { id } = await backupAs(t, root, 'Not needed')
    expect((await root.delete(`/admin/backups/${id}`)).statusCode).toBe(200)
    expect((await root.get(`/admin/backups/${id}`)).statusCode).toBe(404)
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([])
    expect((await entriesOf(id)).at(-1)).toBe('backup.delete done')
  })

  test('whose file is on another server says so', async () => {
    const { id } = await backupAs(t, root, 'Elsewhere')
    await rename(join(folder, `${id}.backup`), join(folder, '..', 'elsewhere'))
    expect((await shown(id)).is_here).toBe(false)
    await root.delete(`/admin/backups/${id}`)
  })
})

/** Loaded by the writer before it does anything. */
const fullDisk = `
  import { open } from 'node:fs/promises'
  const handle = await open('/dev/null', 'w')
  Object.getPrototypeOf(handle).writeFile = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await handle.close()
`

describe('is never done when', () => {
  /** As a process left it that ended after it had written the file, and before it read it back. */
  async function written(change: (bytes: Buffer) => Buffer | null): Promise<string> {
    const { id } = await backupAs(t, root, 'Broken')
    await sql(
      `update backups set state = 'open', sha256 = null, snapshot_at = null, finished_at = null where id = $1`,
      [id],
    )
    await sql(`update runs set state = 'running', finished_at = null, next_try_at = now() where id = $1`, [id])
    await sql(`update run_steps set state = 'waiting' where run_id = $1 and position = 1`, [id])
    const bytes = change(await readFile(join(folder, `${id}.backup`)))
    await rename(join(folder, `${id}.backup`), join(folder, `${id}.unproven`))
    if (bytes) await writeFile(join(folder, `${id}.unproven`), bytes)
    else await rename(join(folder, `${id}.unproven`), join(folder, '..', 'away'))
    await runJob(t.ctx, 'backups.make_sweep')
    return id
  }

  test('nothing is wrong: then it is', async () => {
    expect(await shown(await written((bytes) => bytes))).toMatchObject({ state: 'done', is_here: true })
  })

  test.each<[string, (bytes: Buffer) => Buffer | null, RegExp]>([
    ['a bit was lost', (bytes) => bytes.map((byte, at) => (at === 5000 ? byte ^ 1 : byte)) as Buffer, /damaged/],
    ['the end is missing', (bytes) => bytes.subarray(0, -100), /cut off/],
    ['the file is gone', () => null, /disappeared/],
  ])('%s', async (_what, change, reason) => {
    const id = await written(change)
    expect(await shown(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) })
    expect((await entriesOf(id)).at(-1)).toBe('backup.fail failed')
    const { notifications } = (await root.get('/notifications')).json()
    expect(notifications[0]).toMatchObject({ title: 'Backup failed: Broken', severity: 'error' })
    await runJob(t.ctx, 'backups.make_sweep')
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([])
  })

  test('the table that it reads is taken away under it', async () => {
    await sql('alter table payments rename column amount_captured to amount_taken')
    const id = await order('Broken')
    for (let tries = 0; tries < 3; tries++) {
      await sql(`update runs set next_try_at = now() - interval '1 second' where id = $1 and state = 'running'`, [id])
      await t.runJobs()
    }
    await sql('alter table payments rename column amount_taken to amount_captured')
    expect(await shown(id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('Unexpected error') })
  })

  test('the disk becomes full while it is written', async () => {
    const id = await order('Broken')
    vi.stubEnv('NODE_OPTIONS', `--import data:text/javascript,${encodeURIComponent(fullDisk)}`)
    await t.runJobs()
    vi.unstubAllEnvs()
    expect(await shown(id)).toMatchObject({ state: 'failed', reason: 'The disk is full', is_here: false })
    await runJob(t.ctx, 'backups.make_sweep')
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([])
  })

  test('its folder cannot be written', async () => {
    const away = join(folder, '..', 'backups-away')
    await rename(folder, away)
    await writeFile(folder, '')
    const id = await order('Broken')
    await t.runJobs()
    await rm(folder)
    await rename(away, folder)
    expect(await shown(id)).toMatchObject({ state: 'failed', reason: 'The folder for backups is not writable' })
  })
})
