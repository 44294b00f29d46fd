import { createReadStream, existsSync, realpathSync } from 'node:fs'
import { chown, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { PhysicalFile } from '../archive/physical.ts'
import { chooseAccount } from './account.ts'
import { readSuperPassword } from './cluster.ts'
import { connectionString, listeningOf } from './listening.ts'
import { findPostmaster } from './postmaster.ts'
import { restoredWal, walFolder } from './settings.ts'

/** Made anew by every start, or of the running server alone. Their folders are kept, because a start does not make them. */
const emptied = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
const leftOut = /^(postmaster\.(pid|opts)|.*\.new|pgsql_tmp.*|pg_internal\.init.*)$/

/** The journal of a copy comes apart from it. */
const ownFolders = new Set([walFolder, restoredWal])

const segment = /^[0-9A-F]{24}$/
const archivedWithinMs = 60_000

export type Supervisor = {
  pgData: string
  walArchive: string
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>
}

/** Acts as the bootstrap superuser of the cluster that runs on this DATA_DIR. */
export async function asSupervisor<T>(dataDir: string, work: (supervisor: Supervisor) => Promise<T>): Promise<T> {
  const folder = realpathSync(dataDir)
  const pgData = join(folder, 'pg')
  const running = await findPostmaster(pgData)
  if (running?.status !== 'ready') throw new Error('The embedded database does not run')
  const url = new URL(connectionString(listeningOf(running), await readSuperPassword(pgData)))
  url.username = 'postgres'
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href, application_name: 'agency-console supervisor' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work({
      ...{ pgData, walArchive: join(pgData, walFolder) },
      query: async <Row>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as Row[],
    })
  } finally {
    await client.end().catch(() => {})
  }
}

/** From here on the journal is kept. Answers whether it was before. */
export async function beginArchiving({ pgData, walArchive }: Supervisor): Promise<boolean> {
  if (existsSync(walArchive)) return true
  await mkdir(walArchive, { mode: 0o700 })
  const account = chooseAccount(pgData)
  if (account) await chown(walArchive, account.uid, account.gid)
  return false
}

/** Nothing is kept any more, and what was is gone. */
export const endArchiving = (dataDir: string): Promise<void> =>
  rm(join(dataDir, 'pg', walFolder), { recursive: true, force: true })

/** Completes the segment that is being written, and waits until it lies in the archive. Answers it and the moment. */
export async function archiveUpToNow({ query, walArchive }: Supervisor): Promise<{ last: string; at: string }> {
  // Without anything written since, there would be no segment to complete.
  const [row] = await query<{ last: string; at: Date }>(
    `select pg_walfile_name(pg_logical_emit_message(true, 'agency-console', 'backup')) as last, clock_timestamp() as at`,
  )
  await query('select pg_switch_wal()')
  const last = row?.last ?? ''
  for (const deadline = performance.now() + archivedWithinMs; !existsSync(join(walArchive, last)); await sleep(20)) {
    if (performance.now() > deadline) throw new Error(`The database did not archive its journal ${last} in time`)
  }
  return { last, at: (row?.at ?? new Date()).toISOString() }
}

export const findSegments = async ({ walArchive }: Pick<Supervisor, 'walArchive'>): Promise<string[]> =>
  (await readdir(walArchive)).filter((name) => segment.test(name)).sort()

export async function dropSegments(
  { walArchive }: Pick<Supervisor, 'walArchive'>,
  names: readonly string[],
): Promise<void> {
  await Promise.all(names.map((name) => rm(join(walArchive, name), { force: true })))
}

export const segmentFile = ({ walArchive }: Pick<Supervisor, 'walArchive'>, name: string): PhysicalFile => ({
  name: `pg/${restoredWal}/${name}`,
  read: () => createReadStream(join(walArchive, name), { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>,
})

/** What disappears while it is copied was dropped, and its journal says so. */
async function* ifThere(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) yield piece as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

async function* filesBelow(folder: string, name: string): AsyncGenerator<PhysicalFile> {
  const entries = await readdir(join(folder, name), { withFileTypes: true }).catch(() => [])
  if (entries.length === 0 || emptied.has(name)) {
    yield { name: `pg/${name}/.folder`, read: async function* () {} }
    if (emptied.has(name)) return
  }
  for (const entry of entries) {
    const path = name === '' ? entry.name : `${name}/${entry.name}`
    if (leftOut.test(entry.name) || ownFolders.has(path)) continue
    if (entry.isDirectory()) yield* filesBelow(folder, path)
    else if (entry.isFile()) yield { name: `pg/${path}`, read: () => ifThere(join(folder, path)) }
  }
}

/** The files of the cluster between the two calls that make a copy of them good; what the second one says comes last. */
export async function* baseFiles({ pgData, query }: Supervisor): AsyncGenerator<PhysicalFile> {
  await query(`select pg_backup_start('agency console', true)`)
  yield* filesBelow(pgData, '')
  const [stop] = await query<{ labelfile: string; spcmapfile: string }>(
    'select labelfile, spcmapfile from pg_backup_stop(true)',
  )
  yield {
    name: 'pg/backup_label',
    read: async function* () {
      yield Buffer.from(stop?.labelfile ?? '')
    },
  }
}
