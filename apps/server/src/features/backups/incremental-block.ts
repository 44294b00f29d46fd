import type { AppContext } from '../../context.ts'

/** Why no incremental backup can be made here; null: it can. */
export function incrementalBlock({ environment }: Pick<AppContext, 'environment'>): string | null {
  if (environment.databaseUrl !== undefined)
    return 'Needs the embedded database. For your own PostgreSQL server, use its own incremental backups.'
  return process.platform === 'win32' ? 'Not available on Windows.' : null
}
