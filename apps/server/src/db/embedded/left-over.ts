import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Binaries } from './binaries.ts'
import { connectionString, listeningOf } from './listening.ts'
import { findPostmaster, type Postmaster, readPostmaster } from './postmaster.ts'
import { fingerprint } from './settings.ts'
import { removeSocketDir, temporaryPrefix } from './socket-dir.ts'

const patienceMs = 120_000

/** What a killed console left running. One that is on its way up or down is waited for. */
export async function findSettledPostmaster(pgData: string, signal?: AbortSignal): Promise<Postmaster | undefined> {
  const deadline = performance.now() + patienceMs
  let found = await findPostmaster(pgData)
  while (found && found.status !== 'ready' && performance.now() < deadline) {
    await sleep(20, undefined, { signal })
    found = await findPostmaster(pgData)
  }
  return found
}

/** Whether it answers, as the server that we would start. */
export async function isAsWanted(
  left: Postmaster,
  password: string,
  binaries: Binaries,
  configuration: string,
): Promise<boolean> {
  const client = new Client({
    connectionString: connectionString(listeningOf(left), password),
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; settings: string }>(
      "SELECT current_setting('server_version') AS version, current_setting('agency.settings', true) AS settings",
    )
    return rows[0]?.version === binaries.version && rows[0].settings === fingerprint(configuration)
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Removes the folder of a socket that nobody listens on any more. */
export async function clearLeftovers(pgData: string, stopped: Postmaster | undefined): Promise<void> {
  const stale = stopped ?? readPostmaster(pgData)
  if (stale && basename(stale.socketDir).startsWith(temporaryPrefix)) await removeSocketDir(stale.socketDir)
}
