import type { Permission } from '@agency/contract/permissions'
import type { TransactionContext } from '../../context.ts'
import { notifyPerson } from '../notifications/index.ts'
import type { ExportRow } from './queries/exports.ts'

/** So long the screen that ordered it waits for the file; then it says that it will be under Exports. */
const watchedMs = 5000

export const noticeKey = (id: string): string => `export.ended:${id}`

type Said = { severity: 'success' | 'error'; title: string; body: string }

/** By the bell, where nobody waits any longer; it is read once the file is taken. A program has no bell. */
export async function tellMaker(tx: TransactionContext, row: ExportRow, { title, ...said }: Said): Promise<void> {
  if (row.maker_type === 'api_key' || tx.clock() - row.created_at.getTime() < watchedMs) return
  await notifyPerson(tx, {
    ...said,
    recipientId: row.maker_id,
    dedupeKey: noticeKey(row.id),
    type: 'export.ended',
    permission: row.permission as Permission,
    title: `${title}: ${row.title} (${row.format.toUpperCase()})`,
    link: '/admin/reports?tab=exports',
  })
}
