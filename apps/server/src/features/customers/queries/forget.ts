import type { TransactionContext } from '../../../context.ts'
import { forgetPayloads } from '../../billing/index.ts'

/** What was written here about a customer, for good. Answers how many notes that were. */
export async function forgetCustomer({ db }: Pick<TransactionContext, 'db'>, customerId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('customer_notes')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  await forgetPayloads(db, customerId)
  return Number(numDeletedRows)
}
