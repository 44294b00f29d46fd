import type { TransactionContext } from '../../../context.ts'

/** What was written here about a customer, for good. Answers how many notes that were. */
export async function forgetCustomer({ db }: Pick<TransactionContext, 'db'>, customerId: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('customer_notes')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  await db.deleteFrom('customer_writes').where('customer_id', '=', customerId).execute()
  return Number(numDeletedRows)
}
