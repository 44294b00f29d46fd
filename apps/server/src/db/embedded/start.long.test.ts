import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { execute } from '../../../test/database.ts'
import { ask } from '../../../test/stand-in.ts'
import { findPostmaster, isAlive, readPostmaster } from './postmaster.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const isRoot = process.getuid?.() === 0
const log = pino({ level: 'silent' })
const parent = mkdtempSync(join(tmpdir(), 'agency-embedded-'))
const dataDir = join(parent, 'data')
const pgData = join(dataDir, 'pg')
const running = new Set<EmbeddedPostgres>()

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    ...options,
    settings: { durable: false, ...options.settings },
  })
  running.add(postgres)
  return postgres
}

/** What a killed console leaves runs, and nobody starts it again. */
const startUnwatched = (settings: EmbeddedOptions['settings'] = {}) => start({ watchMs: 3_600_000, settings })

async function refusal(options: Partial<EmbeddedOptions> = {}): Promise<string> {
  const error: unknown = await start(options).then(
    () => new Error('it started'),
    (reason: unknown) => reason,
  )
  return (error as Error).message
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

beforeAll(() => chmodSync(parent, 0o755))
afterEach(async () => {
  await Promise.all([...running].map((postgres) => postgres.stop()))
  running.clear()
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

describe('a fresh database', () => {
  test('has checksums, UTF-8, a socket and no port, and a role that is no superuser', async () => {
    const { connectionString, adopted } = await start()
    expect(adopted).toBe(false)
    const setting = (name: string) => ask(connectionString, `current_setting('${name}')`)
    expect(await setting('data_checksums')).toBe('on')
    expect(await setting('server_encoding')).toBe('UTF8')
    expect(await setting('listen_addresses')).toBe('')
    expect(await setting('is_superuser')).toBe('off')
    expect(
      await ask(connectionString, "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'agency'"),
    ).toBe('bC.UTF-8')
  })

  test('wants the password that lies with the data, readable by nobody else', async () => {
    const { connectionString } = await start()
    await expect(ask(connectionString.replace(/:[0-9a-f]{64}@/, ':wrong@'), '1')).rejects.toThrow(
      /password authentication/,
    )
    expect(statSync(join(pgData, 'console.secret')).mode & 0o777).toBe(0o600)
    expect(statSync(pgData).mode & 0o777).toBe(0o700)
  })

  test('keeps what was committed', async () => {
    const first = await start()
    await execute(first.connectionString, 'CREATE TABLE kept AS SELECT 7 AS value')
    expect(await findEmbeddedPostgres(dataDir)).toBe(first.connectionString)
    await first.stop()
    expect(await findEmbeddedPostgres(dataDir)).toBeUndefined()
    const second = await start()
    expect(second.connectionString).toBe(first.connectionString)
    expect(await ask(second.connectionString, 'SELECT value FROM kept')).toBe(7)
  })

  test.runIf(isRoot)('does not run as root', async () => {
    const { pid } = await start()
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    expect(Number(uid)).toBeGreaterThan(0)
  })

  test('leaves no process and no socket behind', async () => {
    const { pid, stop, connectionString } = await start()
    const socketDir = new URL(connectionString).searchParams.get('host') as string
    expect(existsSync(join(socketDir, '.s.PGSQL.5432'))).toBe(true)
    await Promise.all([stop(), stop()])
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(socketDir)).toBe(false)
    expect(readPostmaster(pgData)).toBeUndefined()
  })

  test('listens on the loopback address where there are no sockets', async () => {
    const { connectionString } = await start({ listen: 'loopback' })
    expect(connectionString).toMatch(/@127\.0\.0\.1:\d+\/agency\?sslmode=disable$/)
    expect(await ask(connectionString, 'inet_server_addr()::text')).toBe('127.0.0.1/32')
  })
})

describe('what a killed console left', () => {
  test('is taken over when it is as we would start it', async () => {
    const left = await startUnwatched()
    const next = await start()
    expect([next.adopted, next.pid, next.connectionString]).toEqual([true, left.pid, left.connectionString])
    await next.stop()
    expect(isAlive(left.pid)).toBe(false)
  })

  test('is stopped first when its settings are others', async () => {
    const left = await startUnwatched({ maxConnections: 20 })
    const next = await start()
    expect(next.adopted).toBe(false)
    expect(isAlive(left.pid)).toBe(false)
    expect(await ask(next.connectionString, "current_setting('max_connections')")).toBe('80')
  })

  test('is stopped first when its socket is gone', async () => {
    const left = await startUnwatched()
    rmSync(new URL(left.connectionString).searchParams.get('host') as string, { recursive: true })
    const next = await start()
    expect(next.adopted).toBe(false)
    expect(await ask(next.connectionString, '1')).toBe(1)
  })

  test.each(['another program', 'another database: postgres'])(
    'does not count when its process number now belongs to %s',
    async (name) => {
      await (await start()).stop()
      const other = spawn('sleep', ['60'], { argv0: name, ...(isRoot && { uid: 65534, gid: 65534 }) })
      try {
        writeFileSync(join(pgData, 'postmaster.pid'), `${other.pid}\n${pgData}\n0\n5432\n/tmp\n\n0 0\nready\n`)
        const next = await start()
        expect([next.adopted, await ask(next.connectionString, '1')]).toEqual([false, 1])
      } finally {
        other.kill()
      }
    },
  )

  test('is found before it has written its number', async () => {
    const left = await startUnwatched()
    const file = join(pgData, 'postmaster.pid')
    const written = readFileSync(file)
    rmSync(file)
    const next = start()
    await expect.poll(() => findPostmaster(pgData)).toMatchObject({ pid: left.pid, status: 'starting' })
    writeFileSync(file, written)
    expect(await next).toMatchObject({ adopted: true, pid: left.pid })
  })

  test('a database process that is killed is started again at the same address', async () => {
    const postgres = await start()
    const { pid } = postgres
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => ask(postgres.connectionString, '1').catch(() => 0)).toBe(1)
    expect(postgres.pid).not.toBe(pid)
  })

  test('one that is stopped in its tracks ends with everything it started, and starts again', async () => {
    const postgres = await start()
    const frozen = [postgres.pid, ...childrenOf(postgres.pid)]
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    await postgres.stop(900)
    await expect.poll(() => frozen.filter(isAlive)).toEqual([])
    expect(await ask((await start()).connectionString, '1')).toBe(1)
  })

  test('one that is being started again when it is asked to end is not left running', async () => {
    const postgres = await start({ watchMs: 1 })
    const { pid } = postgres
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await sleep(5)
    await postgres.stop(900)
    expect(await findPostmaster(pgData)).toBeUndefined()
  })

  test('its end is seen within a tenth of a second', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const said: string[] = []
    const listening = pino({ level: 'error' }, { write: (line) => void said.push(JSON.parse(line).msg) })
    const { pid } = await start({ log: listening })
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(said).toEqual([])
    vi.advanceTimersByTime(100)
    expect(said).toEqual(['database ended by itself'])
  })
})

describe('folders', () => {
  test('a path too long for a socket has it elsewhere', async () => {
    const long = join(parent, 'x'.repeat(100), 'data')
    const { connectionString, stop } = await start({ dataDir: long })
    const socketDir = new URL(connectionString).searchParams.get('host') as string
    expect(socketDir.startsWith(long)).toBe(false)
    expect(statSync(socketDir).mode & 0o777).toBe(0o700)
    await stop()
    expect(existsSync(socketDir)).toBe(false)
  })

  test.runIf(isRoot)('a folder that the account of the database cannot enter is used all the same', async () => {
    const closed = join(parent, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const first = await start({ dataDir: join(closed, 'data') })
    expect(await ask(first.connectionString, "current_setting('data_checksums')")).toBe('on')
    const next = await start({ dataDir: join(closed, 'data') })
    expect([next.adopted, next.pid]).toEqual([true, first.pid])
    expect(statSync(closed).mode & 0o777).toBe(0o700)
  })

  test('refuses the data of another PostgreSQL', async () => {
    const other = join(parent, 'other')
    mkdirSync(join(other, 'pg'), { recursive: true })
    writeFileSync(join(other, 'pg', 'PG_VERSION'), '17\n')
    expect(await refusal({ dataDir: other })).toMatch(
      /other\/pg was made by PostgreSQL 17 and this console brings PostgreSQL 18/,
    )
  })

  test('refuses a DATA_DIR that is a file', async () => {
    writeFileSync(join(parent, 'file'), '')
    expect(await refusal({ dataDir: join(parent, 'file') })).toMatch(
      /^DATA_DIR .*file cannot be used: .* is not a folder$/,
    )
    expect(await refusal({ dataDir: join(parent, 'file', 'data') })).toMatch(/is not a folder$/)
  })

  test('a database is made beside one that programs of a killed start still write', async () => {
    const busy = join(parent, 'busy')
    mkdirSync(busy, { mode: 0o755 })
    // `true`, not `:`: a shell ends when a special built-in cannot open its file, as here when the folder was just removed.
    const script = 'i=0; while :; do i=$((i+1)); mkdir -p pg.new pg.new-0; true > pg.new/$i; true > pg.new-0/$i; done'
    const writer = spawn('sh', ['-c', script], { cwd: busy, stdio: 'ignore' })
    const ended = once(writer, 'exit')
    try {
      await expect.poll(() => existsSync(join(busy, 'pg.new-0'))).toBe(true)
      const { connectionString } = await start({ dataDir: busy })
      expect(await ask(connectionString, '1')).toBe(1)
      expect(writer.exitCode).toBeNull()
    } finally {
      writer.kill()
      await ended
    }
    await start({ dataDir: busy })
    expect(readdirSync(busy).filter((name) => name.startsWith('pg.new'))).toEqual([])
  })

  test('a start that is asked to stop leaves neither a process nor half a database', async () => {
    const stopped = join(parent, 'stopped')
    const stopping = new AbortController()
    const starting = refusal({ dataDir: stopped, signal: stopping.signal })
    await expect
      .poll(() => existsSync(stopped) && readdirSync(stopped).some((name) => name.startsWith('pg.new')))
      .toBe(true)
    stopping.abort()
    expect(await starting).toMatch(/aborted/)
    expect(readdirSync(stopped).filter((name) => name.startsWith('pg'))).toEqual([])
  })

  test('never leaves a half-made database', async () => {
    const half = join(parent, 'half')
    mkdirSync(join(half, 'pg.new', 'base'), { recursive: true })
    const { connectionString } = await start({ dataDir: half })
    expect(await ask(connectionString, '1')).toBe(1)
    expect(existsSync(join(half, 'pg.new'))).toBe(false)
  })
})
