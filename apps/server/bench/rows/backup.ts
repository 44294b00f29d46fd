import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { loadArchive, loadingSchema } from '../../src/db/archive/load-archive.ts'
import { fromFile } from '../../src/db/archive/read-archive.ts'
import { makeArchiveKey } from '../../src/db/archive/sealed-file.ts'
import { switchSchemas } from '../../src/db/archive/switch-schemas.ts'
import { writeArchive } from '../../src/db/archive/write-archive.ts'
import { installedPrograms, type Server, startInstalled } from '../../test/installed-postgres.ts'
import { type Bench, paymentPages, signIn, startConsole } from '../bench-context.ts'
import { forgetBackups } from '../database.ts'
import { beside, steadily } from '../load.ts'
import { ms, type Row, ratio } from '../report.ts'

const run = promisify(execFile)
const reach = { time: 1.2, lists: 3 }
const key = makeArchiveKey()
const { signal } = new AbortController()
const seconds = (value: number): string => `${value.toFixed(1)} s`
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

const writeTo = (connectionString: string, path: string) =>
  writeArchive({
    ...{ connection: { connectionString }, path, key, id: 'bench', console: 'bench', now: new Date(), signal },
    onRows() {},
  })

async function restoreTo(connectionString: string, path: string): Promise<void> {
  await loadArchive({ connection: { connectionString }, source: fromFile(path), key, signal, onProgress() {} })
  const client = new pg.Client({ connectionString })
  await client.connect()
  await switchSchemas(client, { from: loadingSchema, keep: async () => {}, record: async () => {} })
  await client.end()
}

const admin = (server: Server): string => `postgres://postgres@127.0.0.1:${server.port}/postgres`

async function emptyOn(server: Server, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: admin(server) })
  await client.connect()
  await client.query(`create database ${name} owner agency template template0 lc_ctype 'C.UTF-8'`)
  await client.end()
  return server.connectionString.replace(/\/agency$/, `/${name}`)
}

/** Both on the same PostgreSQL 15: ours, and the tools that come with it. */
async function besideTools(bench: Bench, folder: string): Promise<Row[]> {
  if (!installedPrograms) return []
  const server = await startInstalled(join(folder, 'pg'))
  try {
    const [first, ours, theirs] = ['first', 'ours', 'theirs'].map((name) => join(folder, name))
    if (!first || !ours || !theirs) return []
    await writeTo(bench.connectionString, first)
    await restoreTo(server.connectionString, first)
    const program = (name: string) => join(installedPrograms ?? '', name)
    const url = server.connectionString
    const dump = await timed(() => run(program('pg_dump'), ['-Fc', '-d', url, '-f', theirs]))
    const write = await timed(() => writeTo(url, ours))
    const [one, other] = [await emptyOn(server, 'one'), await emptyOn(server, 'other')]
    const load = await timed(() => restoreTo(one, ours))
    const restore = await timed(() => run(program('pg_restore'), ['--no-owner', '-d', other, theirs]).catch(() => {}))
    const sizes = [(await stat(ours)).size, (await stat(theirs)).size] as const
    const payments = `${bench.scale.payments.toLocaleString('en-US')} payments`
    return [
      {
        what: `backup of ${payments}, ${megabytes(sizes[0])}`,
        reach: `≤ ${reach.time} × pg_dump -Fc`,
        ours: `${seconds(write)} (${ratio(write / dump)})`,
        reference: `${seconds(dump)}, ${megabytes(sizes[1])}`,
        isReached: write / dump <= reach.time,
      },
      {
        what: `restore of ${payments}, every row and total compared`,
        reach: `≤ ${reach.time} × pg_restore`,
        ours: `${seconds(load)} (${ratio(load / restore)})`,
        reference: seconds(restore),
        isReached: load / restore <= reach.time,
      },
    ]
  } finally {
    await server.end('SIGINT')
  }
}

type Shown = { id: string; state: string; reason: string | null }

/** A backup as the screen orders it, to its end. */
async function backUp(url: string, headers: Record<string, string>): Promise<void> {
  const ask = async (path: string, body?: object): Promise<Shown> => {
    const json = { ...headers, 'content-type': 'application/json' }
    const init = body ? { method: 'POST', headers: json, body: JSON.stringify(body) } : { headers }
    const response = await fetch(`${url}/api/admin/backups${path}`, init)
    return ((await response.json()) as { backup: Shown }).backup
  }
  const { id } = await ask('', { type: 'full', name: 'Bench' })
  for (;;) {
    const { state, reason } = await ask(`/${id}`)
    if (state === 'done') return
    if (state === 'failed') throw new Error(reason ?? 'the backup failed')
    await sleep(100)
  }
}

async function listsMeanwhile(bench: Bench, folder: string): Promise<Row> {
  const console_ = await startConsole(bench.connectionString, { DATA_DIR: join(folder, 'console') })
  try {
    const headers = await signIn(console_.url)
    const paths = await paymentPages(bench.pool)
    const lists = (length: number) => steadily({ url: console_.url, paths, headers }, 20, 80, length)
    const length = bench.isQuick ? 3 : 8
    // What a console that has just started still does would be taken for idle.
    await lists(length)
    const work = async () => {
      await backUp(console_.url, headers)
      // A drill would restore it beside the next one.
      await forgetBackups(bench.pool)
    }
    const { alone, meanwhile, slower } = await beside(() => lists(length), work, bench.isQuick ? 1 : 3)
    return {
      what: 'lists of 20 users while a backup is made, p99',
      reach: `≤ ${reach.lists} × idle`,
      ours: `${ms(meanwhile)} (${ratio(slower)})`,
      reference: ms(alone),
      isReached: slower <= reach.lists,
    }
  } finally {
    await console_.stop()
  }
}

export async function backupRows(bench: Bench): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'agency-bench-backup-'))
  // The installed PostgreSQL runs as another account, which must reach its folder in here.
  await chmod(folder, 0o755)
  try {
    return [...(await besideTools(bench, folder)), await listsMeanwhile(bench, folder)]
  } finally {
    await forgetBackups(bench.pool)
    await rm(folder, { recursive: true, force: true })
  }
}
