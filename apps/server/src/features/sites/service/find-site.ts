import type { TransactionContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { lockRow, type SiteRow } from '../queries/sites.ts'

export async function lockSite(tx: TransactionContext, id: string): Promise<SiteRow> {
  const site = await lockRow(tx.db, id)
  if (!site) throw notFound(`Site ${id}`)
  return site
}
