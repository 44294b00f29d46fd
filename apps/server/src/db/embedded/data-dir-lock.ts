import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseStartError } from '../errors.ts'
import { explainFileError } from './failures.ts'

export interface LockHolder {
  pid: number
  /** What runs: an address, or the name of a command. */
  name: string
  since: string
}

export interface DataDirLock {
  release(): void
}

export class DataDirInUse extends DatabaseStartError {
  override name = 'DataDirInUse'
}

const lockFile = 'console.lock'
const holderFile = 'console.json'
const sqliteBusy = 5

/**
 * One console at a time per DATA_DIR. Node has no file lock of its own; SQLite, which it brings, takes the kernel's: it ends
 * with the process however that ends, never mistakes a reused process id, and holds between containers that share the folder.
 */
export function lockDataDir(dataDir: string, name: string): DataDirLock {
  const folder = prepareDataDir(dataDir)
  const lock = new DatabaseSync(join(folder, lockFile), { timeout: 0 })
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const holder: LockHolder = { pid: process.pid, name, since: new Date().toISOString() }
    writeFileSync(join(folder, holderFile), JSON.stringify(holder), { mode: 0o600 })
  } catch (error) {
    lock.close()
    throw isBusy(error) ? inUse(folder) : explainFileError(error, folder)
  }
  return {
    release() {
      rmSync(join(folder, holderFile), { force: true })
      lock.close()
    },
  }
}

/** Makes the folder if it is not there. Others may pass through it when we are root, but not look into it. */
export function prepareDataDir(dataDir: string): string {
  try {
    makeFolder(dataDir)
    const folder = realpathSync(dataDir)
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK)
    return folder
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
}

// Node's own recursive mkdir never ends below folders such as /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (folder !== dirname(folder)) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
}

export function readLockHolder(dataDir: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, holderFile), 'utf8')) as LockHolder
  } catch {
    return undefined
  }
}

const isBusy = (error: unknown) => (error as { errcode?: number }).errcode === sqliteBusy

function inUse(folder: string): DataDirInUse {
  const holder = readLockHolder(folder)
  const who = holder ? `${holder.name} (process ${holder.pid}, since ${holder.since})` : 'another console'
  return new DataDirInUse(`DATA_DIR ${folder} is in use by ${who}; stop it first, or choose another DATA_DIR`)
}
