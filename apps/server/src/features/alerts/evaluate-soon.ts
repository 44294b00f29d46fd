import { z } from 'zod'
import type { TransactionContext } from '../../context.ts'

export const evaluateJob = {
  name: 'alerts.evaluate',
  input: z.object({}),
  policy: 'alone' as const,
  // What failed for a moment should not wait for the next full minute.
  retries: 2,
  retryDelayS: 5,
  expireS: 120,
}

/** Something changed that may alarm: it is looked at as soon as the transaction is kept. */
export async function evaluateSoon(tx: Pick<TransactionContext, 'db' | 'jobs'>): Promise<void> {
  await tx.jobs.enqueue(tx, evaluateJob, {})
}
