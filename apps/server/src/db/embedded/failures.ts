import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseStartError } from '../errors.ts'

const megabyte = 1024 * 1024

export function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.floor((bavail * bsize) / megabyte)
}

export function diskFull(folder: string): DatabaseStartError {
  return new DatabaseStartError(
    `The disk of DATA_DIR ${folder} is full: ${freeMegabytes(folder)} MB are free; free some space there, or choose another DATA_DIR`,
  )
}

const codeOf = (error: unknown) => (error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined)

/** A failed call of the file system in DATA_DIR, as one line. */
export function explainFileError(error: unknown, folder: string): unknown {
  const path = (error as NodeJS.ErrnoException).path ?? folder
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(nearestFolder(folder))
    case 'EACCES':
    case 'EPERM':
      return new DatabaseStartError(`DATA_DIR ${folder} cannot be used: this account may not write ${path}`, {
        cause: error,
      })
    case 'EROFS':
      return new DatabaseStartError(`DATA_DIR ${folder} cannot be used: ${path} is on a read-only disk`, {
        cause: error,
      })
    case 'ENOENT':
      return new DatabaseStartError(`DATA_DIR ${folder} cannot be used: ${path} cannot be made`, { cause: error })
    case 'ENOTDIR':
    case 'EEXIST':
      return new DatabaseStartError(`DATA_DIR ${folder} cannot be used: ${path} is not a folder`, { cause: error })
    default:
      return error
  }
}

/** A server that was killed, or one that a killed console was just starting, still works on the data. */
export class LeftOverAtWork extends DatabaseStartError {
  override name = 'LeftOverAtWork'
}

/** What a PostgreSQL program said before it failed, as one line. */
export function explainOutput(program: string, output: string, folder: string): DatabaseStartError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFull(folder)
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const telling =
    lines.findLast((line) => /\b(FATAL|PANIC|error|ERROR)\b/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
  const reason = telling.replace(/^.*?(?:FATAL|PANIC|ERROR|error):\s*/, '').trim()
  const isAtWork = /lock file ".*" already exists|pre-existing shared memory block/.test(output)
  const Failure = isAtWork ? LeftOverAtWork : DatabaseStartError
  return new Failure(`The embedded database in ${folder} did not start: ${program}: ${reason}`)
}

export function explainSpawnError(program: string, error: unknown): DatabaseStartError {
  const reason =
    codeOf(error) === 'ENOENT'
      ? 'it needs a system with the GNU C library'
      : codeOf(error) === 'EACCES'
        ? 'its folder does not allow programs to run (noexec?)'
        : (error as Error).message
  return new DatabaseStartError(`${program} cannot run: ${reason}; set DATABASE_URL to a PostgreSQL server instead`, {
    cause: error,
  })
}

function nearestFolder(folder: string): string {
  try {
    statfsSync(folder)
    return folder
  } catch {
    return folder === dirname(folder) ? folder : nearestFolder(dirname(folder))
  }
}
