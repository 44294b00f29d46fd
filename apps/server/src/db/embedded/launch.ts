import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { explainOutput } from './failures.ts'
import { type Listening, listeningArguments } from './listening.ts'
import { endProcess, findPostmaster, nameOnCommandLine, readPostmaster } from './postmaster.ts'
import { runProgram, spawnProgram } from './programs.ts'

const logFile = 'postgres.log'
/** For a server that is of no use any more to whoever waits for its end. */
export const hurryMs = 700
const largestLogBytes = 5_000_000

export interface Place {
  dataDir: string
  pgData: string
  binaries: Binaries
  account: Account | undefined
}

export interface Server extends Place {
  listening: Listening
}

/** Starts the server and returns its process id once it takes connections. It outlives us if we are killed. */
export async function launch(server: Server, signal?: AbortSignal): Promise<number> {
  const { dataDir, pgData, binaries, account, listening } = server
  await clearLocks(server)
  const log = await openLog(join(dataDir, logFile))
  let pid: number | undefined
  try {
    const { size: start } = await log.stat()
    const args = (folder: string) => ['-D', folder, ...listeningArguments(listening), '-c', nameOnCommandLine(pgData)]
    const child = await spawnProgram({ path: binaries.postgres, args }, pgData, account, {
      // A session of its own: Ctrl-C in the terminal is for the console, which stops the database in its turn.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    child.unref()
    pid = child.pid as number
    while (child.exitCode === null && child.signalCode === null) {
      const postmaster = readPostmaster(pgData)
      if (postmaster?.pid === pid && postmaster.status === 'ready') return pid
      await sleep(3, undefined, { signal })
    }
    throw explainOutput('postgres', await readFrom(log, start), dataDir)
  } catch (error) {
    // Nobody would know of it.
    if (signal?.aborted && pid !== undefined) await endProcess(pid, hurryMs)
    throw error
  } finally {
    await log.close()
  }
}

/**
 * PostgreSQL does not start while the number in a lock file is in use, be it by another program or by a server that ended and
 * whose parent has not asked for its status. What still works on the data keeps it out all the same: by its shared memory.
 */
async function clearLocks({ pgData, listening }: Server): Promise<void> {
  if (await findPostmaster(pgData)) return
  await rm(join(pgData, 'postmaster.pid'), { force: true })
  if (listening.socketDir !== undefined) await rm(join(listening.socketDir, '.s.PGSQL.5432.lock'), { force: true })
}

/** A fast shutdown: open transactions are rolled back and everything is written to disk. Falls back to harder signals. */
export async function stopServer({ pgData, binaries, account }: Place, pid: number, withinMs?: number): Promise<void> {
  if (process.platform === 'win32') {
    // There a signal would end the process at once, without the shutdown.
    const patience = withinMs === undefined ? [] : ['-t', String(Math.ceil(withinMs / 1000))]
    const args = (folder: string) => ['stop', '-D', folder, '-m', 'fast', '-w', ...patience]
    return runProgram({ path: binaries.pgCtl, args }, pgData, account)
  }
  await endProcess(pid, withinMs)
}

async function openLog(path: string): Promise<FileHandle> {
  const found = await stat(path).catch(() => undefined)
  if (found && found.size > largestLogBytes) await rename(path, `${path}.1`)
  return open(path, 'a+', 0o600)
}

async function readFrom(file: FileHandle, start: number): Promise<string> {
  const { size } = await file.stat()
  const { buffer } = await file.read({ buffer: Buffer.alloc(size - start), position: start })
  return buffer.toString('utf8')
}
