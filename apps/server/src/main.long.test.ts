import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, execute, type TestDatabase } from '../test/database.ts'
import { programOf } from '../test/programs.ts'
import { openSecretBox } from './platform/secrets.ts'

const programs = {
  'main.ts': await programOf(new URL('main.ts', import.meta.url).href),
  'worker.ts': await programOf(new URL('worker.ts', import.meta.url).href),
  'commands/admin-key.ts': await programOf(new URL('commands/admin-key.ts', import.meta.url).href),
}
const slow = 90_000

let database: TestDatabase
let running: ChildProcess[] = []

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(async () => {
  for (const child of running) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  running = []
  await database.drop()
})

/** With an account of Stripe that cannot be reached: no sandbox has to be filled, and the console has to start all the same. */
function settings(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: '/tmp/agency-main-test',
    DATABASE_URL: database.connectionString,
    STRIPE_SECRET_KEY: 'sk_test_nothing',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    SECRETS_KEY: 'x'.repeat(32),
    ...extra,
  }
}

function launch(program: keyof typeof programs, env: NodeJS.ProcessEnv) {
  const child = programs[program].start([], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  let output = ''
  const lines = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const ready = /^Agency Console is ready at .*$/m.exec(output)
      if (ready) resolve(ready[0])
    })
  })
  const errors = text(child.stderr)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    errors,
    ended,
    ready: Promise.race([lines, ended.then(async () => `ended: ${await errors}`)]),
    output: () => output,
  }
}

const addressIn = (line: string): string => /http:\S+/.exec(line)?.[0] ?? line

describe('a console', () => {
  test(
    'says at its start what makes the way to it unsafe',
    async () => {
      const forwarder = JSON.stringify({ peer: '10.0.0.5', trust: 'false', isNear: true })
      await execute(
        database.connectionString,
        `insert into instance_settings (key, value, updated_at) values ('proxy.untrusted', '${forwarder}', now())`,
      )
      const unsafe = launch('main.ts', settings({ HOST: '0.0.0.0' }))
      expect(await unsafe.ready).toContain('is ready')
      // Lines of the log are gathered, and written up to a quarter of a second later.
      await expect
        .poll(() => unsafe.output(), { timeout: slow })
        .toContain('The console listens on 0.0.0.0 over plain HTTP')
      await expect.poll(() => unsafe.output(), { timeout: slow }).toContain('TRUST_PROXY=10.0.0.5')
    },
    slow,
  )

  test(
    'says in one line where it is and, the first time, its key; ends cleanly on SIGTERM',
    async () => {
      const first = launch('main.ts', settings())
      const line = await first.ready
      expect(line).toMatch(
        /^Agency Console is ready at http:\/\/127\.0\.0\.1:\d+ \(test\)\. Admin key, shown only this once: (\w{8}-){6}\w{8}$/,
      )
      const key = line.split(' ').at(-1)!
      const headers = { 'x-admin-key': key }
      const address = addressIn(line)
      expect((await fetch(`${address}/readyz`)).status).toBe(200)
      expect((await fetch(`${address}/api/auth/session`, { headers })).status).toBe(200)
      const stream = await fetch(`${address}/api/events`, { headers })
      const over = text(stream.body!)
      first.child.kill('SIGTERM')
      expect(await first.ended).toBe(0)
      await over
      const logged = first
        .output()
        .split('\n')
        .filter((entry) => entry.startsWith('{'))
      expect(logged.map((entry) => JSON.parse(entry)).filter(({ msg }) => msg === 'request')).toHaveLength(3)
      expect(first.output().split(key)).toHaveLength(2)
      expect(await first.errors).toBe('')

      const second = launch('main.ts', settings())
      expect(await second.ready).toMatch(/^Agency Console is ready at http:\/\/127\.0\.0\.1:\d+ \(test\)$/)
      // Ctrl-C reaches the console from the terminal and once more from npm.
      second.child.kill('SIGINT')
      setTimeout(() => second.child.kill('SIGINT'), 5)
      expect(await second.ended).toBe(0)
    },
    slow,
  )

  test(
    'takes a key made beside it, at once',
    async () => {
      const chosen = 'chosen-by-an-administrator'
      const console = launch('main.ts', settings({ ADMIN_KEY: chosen }))
      const address = addressIn(await console.ready)
      const statusOf = async (key: string) =>
        (await fetch(`${address}/api/auth/session`, { headers: { 'x-admin-key': key } })).status
      expect(await statusOf(chosen)).toBe(200)
      const command = launch('commands/admin-key.ts', settings({ ADMIN_KEY: chosen }))
      expect(await command.ended).toBe(0)
      const [, made = ''] = /^Admin key, shown only this once: (\S+)$/m.exec(command.output()) ?? []
      expect(command.output()).toContain('ADMIN_KEY is set in the environment and takes its place at the next start.')
      expect(await statusOf(made)).toBe(200)
      await expect.poll(() => statusOf(chosen)).toBe(401)
    },
    slow,
  )

  test(
    'that cannot start says why in one line',
    async () => {
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const { port } = taken.address() as { port: number }
      const cases: [Record<string, string>, RegExp][] = [
        [{ PORT: 'http' }, /^Agency Console could not start: PORT must be a port number from 0 to 65535\n$/],
        [
          { PORT: String(port) },
          new RegExp(`^Agency Console could not start: PORT ${port} on 127.0.0.1 is in use: .*\n$`),
        ],
        [
          { DATABASE_URL: database.connectionString.replace(/agency_test_\w+/, 'no_such_database') },
          /^Agency Console could not start: DATABASE_URL .* cannot be used: .*\n$/,
        ],
      ]
      try {
        const ends = await Promise.all(
          cases.map(async ([env, words]) => {
            const failed = launch('main.ts', settings(env))
            return { code: await failed.ended, errors: await failed.errors, words }
          }),
        )
        for (const { code, errors, words } of ends) {
          expect(errors).toMatch(words)
          expect(code).toBe(1)
        }
      } finally {
        taken.close()
      }
      const { rows } = await import('pg').then(async ({ Client }) => {
        const client = new Client({ connectionString: database.connectionString })
        await client.connect()
        const result = await client.query("select 1 from instance_settings where key = 'admin_key'")
        await client.end()
        return result
      })
      // A key that nobody was told is not made.
      expect(rows).toEqual([])
    },
    slow,
  )
})

describe('a worker', () => {
  test.each([
    [{ DATABASE_URL: '' }, 'DATABASE_URL must be set'],
    [{ STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY must be set'],
  ])(
    'refuses to run with %j',
    async (env, words) => {
      const worker = launch('worker.ts', settings(env))
      expect(await worker.ended).toBe(1)
      expect(await worker.errors).toMatch(new RegExp(`^The worker could not start: ${words}: .*\n$`))
    },
    slow,
  )

  test(
    'takes its key from what is set in the console, and ends when that is taken out',
    async () => {
      const box = await openSecretBox({ secretsKey: 'x'.repeat(32), dataDir: '/nowhere' })
      const save = `INSERT INTO settings (key, sealed, version, updated_at, updated_by, updated_by_name)
        VALUES ('stripe.secret_key', '${box.seal('sk_test_stored')}', 1, now(), 'u', 'U')`
      await execute(database.connectionString, save)
      const worker = launch('worker.ts', settings({ STRIPE_SECRET_KEY: '' }))
      await expect.poll(() => worker.output(), { timeout: slow }).toContain('"mode":"test","msg":"the worker is ready"')
      await execute(database.connectionString, "DELETE FROM settings WHERE key = 'stripe.secret_key'")
      expect(await worker.ended).toBe(0)
      expect(worker.output()).toContain('in demo mode the console runs the jobs')
    },
    slow,
  )

  test(
    'runs jobs beside a console and ends cleanly',
    async () => {
      const worker = launch('worker.ts', settings())
      await expect.poll(() => worker.output(), { timeout: slow }).toContain('the worker is ready')
      worker.child.kill('SIGTERM')
      expect(await worker.ended).toBe(0)
    },
    slow,
  )
})
