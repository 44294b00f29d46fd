import type { Backup, BackupDetails, BackupState } from '@agency/contract/backups'
import type { RequestContext } from '../../../context.ts'
import type { Summary } from '../../../db/archive/frames.ts'
import { notFound } from '../../../platform/errors.ts'
import { filePath, isThere } from '../files.ts'
import { incrementalBlock } from '../incremental-block.ts'
import { findBackup, findPage, findShown } from '../queries/backups.ts'

type Shown = Omit<Backup, 'is_here'>

async function withPlace(ctx: RequestContext, shown: Shown): Promise<Backup> {
  return { ...shown, is_here: shown.state === 'done' && (await isThere(filePath(ctx, shown.id))) }
}

type Query = Parameters<typeof findPage>[1]

export async function listBackups(ctx: RequestContext, query: Query) {
  const page = JSON.parse(await findPage(ctx.pool, query)) as {
    backups: Shown[]
    has_more: boolean
    total: number | null
  }
  const backups = await Promise.all(page.backups.map((one) => withPlace(ctx, one)))
  const { s3 } = ctx.config
  const store = s3 ? `${s3.bucket} at ${new URL(s3.endpoint).host}` : null
  return { ...page, backups, store, incremental_blocked: incrementalBlock(ctx) }
}

export async function getBackup(ctx: RequestContext, id: string): Promise<Backup> {
  const shown = await findShown(ctx, id)
  if (shown === undefined) throw notFound(`Backup ${id}`)
  return withPlace(ctx, JSON.parse(shown) as Shown & { state: BackupState })
}

export async function getDetails(ctx: RequestContext, id: string): Promise<BackupDetails> {
  const [shown, row] = [await getBackup(ctx, id), await findBackup(ctx, id)]
  const summary = (row?.summary ?? null) as Summary | null
  const tables = Object.entries(summary?.tables ?? {}).map(([name, { rows }]) => ({ name, rows }))
  return { ...shown, tables: tables.sort((a, b) => b.rows - a.rows), totals: summary?.totals ?? [] }
}
