import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const tmpfsMagic = 0x01021994
const neededBytes = 6 * 2 ** 30

/**
 * Where to put what a test run writes and throws away: in memory, where the machine has room for it. A database is copied
 * there in a tenth of the time that a disk takes.
 */
export function fastTmpdir(): string {
  if (!existsSync(memory)) return tmpdir()
  const { type, bavail, bsize } = statfsSync(memory)
  return type === tmpfsMagic && Math.min(bavail * bsize, freemem()) >= neededBytes ? memory : tmpdir()
}

const prefix = 'agency-tests-'

/** Makes this process and its children put their temporary files there. Returns what removes them, for the end of the run. */
export function useFastTmpdir(): () => void {
  const parent = fastTmpdir()
  for (const name of readdirSync(parent)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.split('-')[2]))) tidy(join(parent, name))
  }
  const dir = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // The account of the embedded database passes through it.
  chmodSync(dir, 0o711)
  process.env['TMPDIR'] = dir
  return () => remove(dir)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What a run left that was killed. A disk that it had mounted there keeps nobody from testing. */
function tidy(dir: string): void {
  try {
    remove(dir)
  } catch (error) {
    process.stderr.write(`${dir} is left from an earlier run and cannot be removed: ${String(error)}\n`)
  }
}

const remove = (dir: string): void => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
