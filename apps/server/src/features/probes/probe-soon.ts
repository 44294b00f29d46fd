import type { TransactionContext } from '../../context.ts'
import { setDue } from './queries/states.ts'

/** Something happened to a site that may show: it is looked at as soon as the transaction is kept. */
export const probeSoon = (tx: Pick<TransactionContext, 'db' | 'clock'>, siteId: string): Promise<void> =>
  setDue(tx, siteId, new Date(tx.clock()))
