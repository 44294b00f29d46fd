import { sql } from 'kysely'
import type { TransactionContext } from '../../../context.ts'
import { rebuildCustomerTotals } from './totals.ts'
import { lockMirror } from './upsert.ts'

/** Single figures are in another currency from this transaction on: what is kept split by it is split anew. */
export async function splitByOtherCurrency({ db }: Pick<TransactionContext, 'db'>): Promise<void> {
  await lockMirror(db)
  await rebuildCustomerTotals(db)
  for (const topic of ['customers', 'subscriptions', 'payments', 'plans']) {
    await sql`select pg_notify('changes', ${topic})`.execute(db)
  }
}
