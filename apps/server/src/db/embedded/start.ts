import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { chooseAccount } from './account.ts'
import { findBinaries, removeOldCopies } from './binaries.ts'
import { ensureCluster, readPassword, writeAs } from './cluster.ts'
import { prepareDataDir } from './data-dir-lock.ts'
import { explainFileError, LeftOverAtWork } from './failures.ts'
import { hurryMs, launch, type Place, stopServer } from './launch.ts'
import { clearLeftovers, findSettledPostmaster, isAsWanted } from './left-over.ts'
import { chooseListening, connectionString, type ListenOn, listeningOf } from './listening.ts'
import { findPostmaster } from './postmaster.ts'
import { defaultSettings, type Settings, writeSettings } from './settings.ts'
import { supervise } from './supervise.ts'

export interface EmbeddedPostgres {
  connectionString: string
  readonly pid: number
  /** Taken over from a console that was killed, rather than started. */
  adopted: boolean
  /** After `withinMs` (45 s) it is ended hard, and recovers at its next start. */
  stop(withinMs?: number): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  settings?: Partial<Settings>
  /** By default a socket, except on Windows. */
  listen?: ListenOn
  /** How often it is looked whether the server still runs. */
  watchMs?: number
  /** Aborted, the start ends and leaves no server running. */
  signal?: AbortSignal | undefined
}

const patienceMs = 30_000

/** Starts PostgreSQL on DATA_DIR/pg, or takes over the one that a killed console left. The caller holds the lock of DATA_DIR. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = prepareDataDir(options.dataDir)
  try {
    return await start(dataDir, options)
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
}

/** The connection string of the server that runs on this DATA_DIR, if one does. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  if (!existsSync(dataDir)) return undefined
  const pgData = join(realpathSync(dataDir), 'pg')
  const running = await findPostmaster(pgData)
  return running?.status === 'ready' ? connectionString(listeningOf(running), await readPassword(pgData)) : undefined
}

async function start(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings, signal } = options
  const pgData = join(dataDir, 'pg')
  const account = chooseAccount(pgData)
  const binaries = await findBinaries(dataDir, account, log)
  const wanted = { ...defaultSettings, ...settings }
  await ensureCluster(pgData, binaries, account, { durable: wanted.durable, signal })
  const place = { dataDir, pgData, binaries, account }
  const configuration = writeSettings(wanted)
  for (const deadline = performance.now() + patienceMs; ; ) {
    try {
      const postgres = await adoptOrLaunch(place, configuration, options)
      await removeOldCopies(dataDir, binaries.version)
      return postgres
    } catch (error) {
      const left = signal?.aborted ? await findPostmaster(pgData) : undefined
      if (left) await stopServer(place, left.pid, hurryMs)
      if (!(error instanceof LeftOverAtWork) || signal?.aborted || performance.now() > deadline) throw error
      log.warn({ reason: error.message }, 'a database that was killed is still ending, trying again')
      await sleep(100)
    }
  }
}

async function adoptOrLaunch(place: Place, configuration: string, options: EmbeddedOptions) {
  const { log, listen, signal, watchMs } = options
  const { dataDir, pgData, binaries, account } = place
  const password = await readPassword(pgData)
  const left = await findSettledPostmaster(pgData, signal)
  const isAdopted = left !== undefined && (await isAsWanted(left, password, binaries, configuration))
  if (left && !isAdopted) {
    log.warn({ pid: left.pid }, 'stopping a database that a killed console left with other settings')
    await stopServer(place, left.pid)
  }
  if (!isAdopted) await clearLeftovers(pgData, left)
  await writeAs(account, join(pgData, 'postgresql.conf'), configuration)
  const listening = isAdopted ? listeningOf(left) : await chooseListening(dataDir, account, listen)
  const server = { ...place, listening }
  const pid = isAdopted ? left.pid : await launch(server, signal)
  if (isAdopted) log.info({ pid }, 'took over the database of a killed console')
  const supervised = supervise(server, pid, log, watchMs)
  return Object.assign(supervised, { connectionString: connectionString(listening, password), adopted: isAdopted })
}
