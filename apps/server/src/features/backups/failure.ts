import { DamagedArchive } from '../../db/archive/sealed-file.ts'
import { DatabaseStartError } from '../../db/errors.ts'
import { StoreFailure } from '../../integrations/s3/gateway.ts'
import { databaseFailureOf } from '../../platform/database-failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { Failure } from '../../platform/runs/durable-run.ts'

const files: Record<string, string> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk is full',
  EACCES: 'The folder for backups is not writable',
  EEXIST: 'The folder for backups is not writable',
  ENOTDIR: 'The folder for backups is not writable',
  EPERM: 'The folder for backups is not writable',
  EROFS: 'The data folder is read-only',
  ENOENT: 'The backup file is missing',
}

/** What an error of a backup or a restore means. What the file itself says does not get better by another try. */
export function judge(error: unknown): Failure {
  if (error instanceof DamagedArchive || error instanceof DatabaseStartError)
    return { reason: error.message, isFinal: true }
  if (error instanceof AppError && error.code !== 'internal') return { reason: error.message, isFinal: true }
  if (error instanceof StoreFailure) return { reason: error.message }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const file = files[code]
  if (file !== undefined) return { reason: file, isFinal: true }
  const lost = error instanceof Error ? databaseFailureOf(error) : null
  return { reason: lost ? lost.message.replace(/\.$/, '') : 'Unexpected error; see the server log' }
}
