import type { Pool } from 'pg'
import { hurry } from '../own-processes.ts'
import { applicationName } from './session.ts'

/**
 * Ends the session of a query, in whichever process it was begun; answers whether there was one. Ended rather than
 * cancelled: a cancel that arrives between two statements is lost, and the session serves nothing else.
 */
export async function endSessionOf(pool: Pool, id: string): Promise<boolean> {
  const { rows } = await pool.query<{ pid: number; user: string; ended: boolean }>(
    `select pid, usename::text as user, pg_terminate_backend(pid) as ended from pg_stat_activity
     where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
    [applicationName(id)],
  )
  await Promise.all(rows.map(hurry))
  return rows.some(({ ended }) => ended)
}

/** Whether some process still works on it. */
export async function findRunning(pool: Pool, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await pool.query<{ application_name: string }>(
    `select application_name from pg_stat_activity
     where application_name = any($1::text[]) and datname = current_database()`,
    [ids.map(applicationName)],
  )
  const running = new Set(rows.map(({ application_name }) => application_name))
  return new Set(ids.filter((id) => running.has(applicationName(id))))
}

/** What a session has written to disk to sort and join; null where the console may not look. */
export async function findTempBytes(pool: Pool, pid: number): Promise<number | null> {
  try {
    const { rows } = await pool.query<{ bytes: string | null }>(
      `select sum(size)::text as bytes from pg_ls_tmpdir() where name like $1`,
      [`pgsql_tmp${pid}.%`],
    )
    return Number(rows[0]?.bytes ?? 0)
  } catch {
    return null
  }
}
