import { chown, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { unpackPhysical } from '../archive/physical.ts'
import type { ArchiveSource } from '../archive/read-archive.ts'
import { chooseAccount } from './account.ts'
import { prepareDataDir } from './data-dir-lock.ts'
import { restoredWal } from './settings.ts'
import { startEmbeddedPostgres } from './start.ts'

export type MomentOrder = {
  /** A folder of its own, gone afterwards. */
  dataDir: string
  /** The base copy, then the journals in their order. */
  chain: readonly { source: ArchiveSource; key: Buffer }[]
  at: Date
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  signal: AbortSignal
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Brings a copy of the cluster to a moment, in a cluster of its own, and works with the database as it was then. */
export async function atMoment<T>(
  { dataDir, chain, at, log, signal }: MomentOrder,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  await rm(dataDir, { recursive: true, force: true })
  const folder = prepareDataDir(dataDir)
  const pgData = join(folder, 'pg')
  const owner = chooseAccount(pgData)
  try {
    for (const { source, key } of chain) {
      signal.throwIfAborted()
      await unpackPhysical(source, key, folder, owner)
    }
    const settings = [
      // Else it takes connections as soon as its files agree, which is before the moment is reached.
      'hot_standby = off',
      `restore_command = ${quote(`cp "${restoredWal}/%f" "%p"`)}`,
      // By its distance from UTC: while the settings are read no zone has a name yet, not even Z.
      `recovery_target_time = ${quote(at.toISOString().replace('Z', '+00'))}`,
      `recovery_target_action = 'promote'`,
      '',
    ].join('\n')
    for (const [name, content] of Object.entries({ 'postgresql.auto.conf': settings, 'recovery.signal': '' })) {
      await writeFile(join(pgData, name), content, { mode: 0o600 })
      if (owner) await chown(join(pgData, name), owner.uid, owner.gid)
    }
    const postgres = await startEmbeddedPostgres({ dataDir: folder, log, signal })
    try {
      return await work(postgres.connectionString)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
