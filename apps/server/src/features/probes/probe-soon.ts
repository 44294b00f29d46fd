import { z } from 'zod'
import type { TransactionContext } from '../../context.ts'
import { setDue } from './queries/states.ts'

export const siteJob = {
  name: 'probes.site',
  input: z.object({ siteId: z.string() }),
  policy: 'key' as const,
  retries: 0,
}

/** Something happened to a site that may show: it is looked at as soon as the transaction is kept. */
export async function probeSoon(tx: Pick<TransactionContext, 'db' | 'clock' | 'jobs'>, siteId: string): Promise<void> {
  await setDue(tx, siteId, new Date(tx.clock()))
  await tx.jobs.enqueue(tx, siteJob, { siteId }, { key: siteId })
}

/** Of the ten seconds within which a failure is confirmed, the queue takes up to two. */
const confirmAfterMs = 6000

/** A look that failed is repeated soon, in whichever process. */
export async function confirmSoon(
  tx: Pick<TransactionContext, 'db' | 'clock' | 'jobs'>,
  siteId: string,
): Promise<void> {
  const startAfter = new Date(tx.clock() + confirmAfterMs)
  await tx.jobs.enqueue(tx, siteJob, { siteId }, { key: siteId, startAfter })
}
