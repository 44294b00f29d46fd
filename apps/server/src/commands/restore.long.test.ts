import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../test/context.ts'
import { execute } from '../../test/database.ts'
import { programOf } from '../../test/programs.ts'
import type { Caller } from '../../test/request.ts'
import { insertRows } from '../../test/rows.ts'
import { testAdminKey } from '../../test/sign-in.ts'
import { attachOrStart } from '../db/connect.ts'
import { backupAs, backupsEnv, rootOf } from '../features/backups/test/world.ts'
import { createLogger } from '../platform/logger.ts'

const slow = 180_000
const folders: string[] = []
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
    Array.from({ length: 300 }, (_, n) => ({ id: `pi_${n}`, amount_captured: 1000 })),
  )
})
afterAll(async () => {
  await t?.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fresh-machine-'))
  folders.push(folder)
  return join(folder, 'data')
}

async function run(program: string, args: string[], settings: Record<string, string>, input = '') {
  const { start } = await programOf(new URL(program, import.meta.url).href)
  const child = start(args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const [output, errors] = [text(child.stdout as Readable), text(child.stderr as Readable)]
  child.stdin?.end(input)
  const [code] = await once(child, 'exit')
  return { code: code as number, output: await output, errors: await errors }
}

async function ask(dataDir: string, sql: string) {
  const config = { dataDir, databaseUrl: undefined, host: '127.0.0.1', port: 0 }
  const { connectionString, stop } = await attachOrStart(config, 'test', createLogger('silent'))
  try {
    return await execute(connectionString, sql)
  } finally {
    await stop()
  }
}

test(
  'a fresh machine is restored from the file and the recovery kit alone',
  async () => {
    const backup = await backupAs(t, root, 'For the worst day')
    const kit = (await root.post('/admin/backup-plan/kit', { identity_proof: testAdminKey })).json()
    const path = join(env['DATA_DIR'] ?? '', 'backups', `${backup.id}.backup`)
    const DATA_DIR = freshFolder()
    const answers = `${kit.secrets_key}\n${kit.backup_key}\n`
    const { code, output, errors } = await run('restore.ts', [path], { DATA_DIR }, answers)
    expect([code, errors]).toEqual([0, expect.not.stringContaining('Nothing was replaced')])
    expect(output).toContain('all rows and totals were compared')
    expect(readFileSync(join(DATA_DIR, 'secrets-key'), 'utf8').trim()).toBe(kit.secrets_key)
    expect(statSync(join(DATA_DIR, 'secrets-key')).mode & 0o777).toBe(0o600)
    const [counts] = await ask(
      DATA_DIR,
      `select (select count(*)::int from payments) as payments, (select count(*)::int from sessions) as sessions,
         (select state from restores) as restore, (select count(*)::int from backups where state = 'open') as open,
         (select name from runs where state in ('waiting', 'running')) as run`,
    )
    expect(counts).toEqual({ payments: 300, sessions: 0, restore: 'replaying', open: 0, run: 'backups.restore' })
    const [entry] = await ask(
      DATA_DIR,
      `select after from audit_entries where action = 'backup.restore' order by id desc limit 1`,
    )
    expect(entry?.['after']).toMatchObject({
      gap: { after_entry: expect.any(String), until: expect.any(String) },
      anchor: { place: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
  },
  slow,
)

test(
  'wrong answers replace nothing and say what is wrong',
  async () => {
    const { backups } = (await root.get('/admin/backups?state=done')).json()
    const path = join(env['DATA_DIR'] ?? '', 'backups', `${backups[0].id}.backup`)
    const DATA_DIR = freshFolder()
    const key = 'A'.repeat(43)
    const wrongKey = await run('restore.ts', [path], { DATA_DIR, SECRETS_KEY: env['SECRETS_KEY'] ?? '' }, `${key}\n`)
    expect([wrongKey.code, wrongKey.errors]).toEqual([1, expect.stringContaining('sealed with another backup key')])
    const noFile = await run('restore.ts', ['/no/such/file'], { DATA_DIR })
    expect([noFile.code, noFile.errors]).toEqual([1, expect.stringContaining('there is no /no/such/file')])
    const none = await run('restore.ts', [], { DATA_DIR })
    expect(none.errors).toContain('name the file')
  },
  slow,
)

test(
  'on a machine with data a backup is made first, the word is asked for, and the log goes on',
  async () => {
    const DATA_DIR = freshFolder()
    const settings = { DATA_DIR, SECRETS_KEY: env['SECRETS_KEY'] ?? '' }
    const made = await run('backup.ts', ['--name', 'By hand'], settings)
    expect([made.code, made.errors]).toEqual([0, ''])
    const [, path = ''] = /^(\S+\.backup) \(/.exec(made.output) ?? []
    expect(existsSync(path)).toBe(true)
    await ask(
      DATA_DIR,
      `insert into audit_entries (at, actor_type, actor_id, actor_name, action, resource_type)
       values (now(), 'user', 'u', 'U', 'user.create', 'user')`,
    )
    const refused = await run('restore.ts', [path], settings, 'no\n')
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('it was not confirmed')])
    const done = await run('restore.ts', [path], settings, 'RESTORE\n')
    expect([done.code, done.output]).toEqual([0, expect.stringContaining('What was there before is in')])
    const actions = await ask(DATA_DIR, 'select action from audit_entries order by id')
    expect(actions.map(({ action }) => action)).toEqual([
      'backup.finish',
      'user.create',
      'backup.finish',
      'backup.restore',
    ])
    const [{ names }] = (await ask(DATA_DIR, 'select array_agg(name order by created_at) as names from backups')) as [
      { names: string[] },
    ]
    expect(names).toEqual(['By hand', 'Before a restore on the command line'])
  },
  slow,
)
