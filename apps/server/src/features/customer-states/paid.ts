import { z } from 'zod'
import type { TransactionContext } from '../../context.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import { findWaiting } from './queries.ts'

/** Looks whether a customer who was suspended for non-payment has paid by now. */
export const paidSettings = {
  name: 'lifecycle.paid',
  input: z.object({ customer: z.string() }),
  policy: 'key' as const,
  retries: 5,
  retryDelayS: 2,
  expireS: 60,
}

const settled = ['paid', 'void']

/** Told of invoices that the provider has just changed. */
export async function tellPaid(
  tx: Pick<TransactionContext, 'db' | 'jobs'>,
  invoices: readonly ProviderObject[],
): Promise<void> {
  const ids = invoices.filter((invoice) => settled.includes(String(invoice['status']))).map((invoice) => invoice.id)
  if (ids.length === 0) return
  for (const customer of await findWaiting(tx.db, ids))
    await tx.jobs.enqueue(tx, paidSettings, { customer }, { key: customer })
}
