import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestContext } from '../../../context.ts'
import { loadArchive, loadingSchema } from '../../../db/archive/load-archive.ts'
import { DamagedArchive } from '../../../db/archive/sealed-file.ts'
import { switchSchemas } from '../../../db/archive/switch-schemas.ts'
import { withOwnClient } from '../../../db/archive/write-archive.ts'
import { createDatabase } from '../../../db/client.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/start.ts'
import { findMigrationStatus } from '../../../db/migrate.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { verifyTotals } from '../../mirror/index.ts'
import { openBackup, stageTexts } from './load.ts'

export type DrillReport = { tables: number; rows: number; totals: number; migrations: number }

/** Restores a backup into a cluster of its own, which is gone afterwards, and sees that everything adds up there. */
export async function drill(
  ctx: RequestContext,
  backup: { id: string; rows: number },
  { signal, progress }: StepWork,
): Promise<DrillReport> {
  const { source, key } = await openBackup(ctx, backup.id)
  const dataDir = join(ctx.config.dataDir, 'drill')
  await rm(dataDir, { recursive: true, force: true })
  progress(0, null, 'Starting a temporary database')
  // What is thrown away need not outlive a power failure.
  const settings = { durable: false, maxConnections: 10 }
  const postgres = await startEmbeddedPostgres({ dataDir, log: ctx.log, settings, signal })
  const { connectionString } = postgres
  try {
    const { summary } = await loadArchive({
      ...{ connection: { connectionString }, source, key, signal },
      onProgress: (stage, done, total) =>
        progress(done, stage === 'rows' ? Math.max(backup.rows, done) : total, stageTexts[stage]),
    })
    await withOwnClient({ connectionString }, 'agency-console drill', signal, (client) =>
      switchSchemas(client, { from: loadingSchema, keep: async () => {}, record: async () => {} }),
    )
    const migrations = await findMigrationStatus(connectionString)
    if (migrations.pending.length > 0)
      throw new DamagedArchive(`The restored database lacks the migration ${migrations.pending[0]}`)
    await proveTotals(connectionString)
    const tables = Object.values(summary.tables)
    return {
      ...{ tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) },
      ...{ totals: summary.totals.length, migrations: migrations.applied.length },
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** What is kept of sums against what the rows make of them, as the console itself proves them. */
async function proveTotals(connectionString: string): Promise<void> {
  const { kysely } = createDatabase(connectionString, { max: 1, min: 0, applicationName: 'agency-console drill' })
  try {
    const [difference, ...others] = await verifyTotals(kysely)
    if (!difference) return
    const { total, key, kept, computed } = difference
    const more = others.length > 0 ? `, and ${others.length} more` : ''
    throw new DamagedArchive(
      `Rows are missing or wrong: the total ${total} ${key} is ${kept ?? 'empty'}, but its rows add up to ${computed ?? 'nothing'}${more}`,
    )
  } finally {
    await kysely.destroy()
  }
}
