import type { QueueJobDetails } from '@agency/contract/queues'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter } from '../../../platform/errors.ts'
import { bindKey, type Claim, keepAnswer } from '../../../platform/idempotency-keys.ts'
import type { Job } from '../../../platform/job.ts'
import { deleteJobs, lockJob, replaceData, runAgain } from '../../../platform/job-acts.ts'
import { type Catalogue, denialsOf, isDue } from '../catalogue.ts'
import type { FullJobRow } from '../queries/jobs.ts'
import { getJob, getRow } from './jobs.ts'

type Denial = keyof ReturnType<typeof denialsOf>

/** The job as nobody else changes it before the transaction ends. */
async function take(tx: TransactionContext, id: string): Promise<FullJobRow> {
  await lockJob(tx.db, id)
  return getRow(tx, id)
}

function refuseDenied(tx: TransactionContext, job: FullJobRow, definition: Job | undefined, denial: Denial): void {
  const reason = denialsOf({ status: job.status, isDue: isDue(job, tx.clock()) }, definition)[denial]
  if (reason !== null) throw new AppError('conflict', reason)
}

const factsOf = ({ queue_name, status, attempts, error, data }: FullJobRow) => ({
  ...{ queue: queue_name, status, attempts, data },
  ...(error !== null && { error }),
})

export async function retryJob(ctx: RequestContext, catalogue: Catalogue, id: string): Promise<QueueJobDetails> {
  await inTransaction(ctx, async (tx) => {
    const job = await take(tx, id)
    const definition = catalogue.get(job.queue_name)
    // It waits for its turn already.
    if (definition && isDue(job, tx.clock())) return
    refuseDenied(tx, job, definition, 'retry_denial')
    await runAgain(tx.db, [id])
    await recordAudit(tx, { ...{ action: 'job.retry', resource: 'job', id }, before: factsOf(job) })
  })
  return getJob(ctx, catalogue, id)
}

/** What a job is called by follows the field that it is made of. */
function keyAfter({ key, data: before }: FullJobRow, data: Record<string, unknown>): string | null {
  const field = Object.keys(before).find((name) => before[name] === key)
  const value = field === undefined ? undefined : data[field]
  return typeof value === 'string' ? value : null
}

/** NUL and half a character, which the database keeps in no JSON. */
const unkept = /\\u0000|\\ud[89a-f][0-9a-f]{2}/

function checked(definition: Job | undefined, data: Record<string, unknown>): Record<string, unknown> {
  if (unkept.test(JSON.stringify(data))) throw invalidParameter('data', 'has characters that cannot be kept')
  const read = definition?.input.safeParse(data)
  if (read?.success) return read.data as Record<string, unknown>
  const issue = read?.error.issues[0]
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw invalidParameter('data', `is not what this job takes. ${where}${issue?.message ?? ''}`.trimEnd())
}

export async function editJob(
  ctx: RequestContext,
  catalogue: Catalogue,
  id: string,
  given: Record<string, unknown>,
): Promise<QueueJobDetails> {
  await inTransaction(ctx, async (tx) => {
    const job = await take(tx, id)
    const definition = catalogue.get(job.queue_name)
    refuseDenied(tx, job, definition, 'edit_denial')
    const data = checked(definition, given)
    await replaceData(tx.db, id, data, keyAfter(job, data))
    await runAgain(tx.db, [id])
    await recordAudit(tx, {
      ...{ action: 'job.edit', resource: 'job', id },
      before: factsOf(job),
      after: { queue: job.queue_name, data },
    })
  })
  return getJob(ctx, catalogue, id)
}

export async function deleteJob(
  ctx: RequestContext,
  catalogue: Catalogue,
  id: string,
  claim: Claim | null,
): Promise<{ success: true }> {
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    const job = await take(tx, id)
    refuseDenied(tx, job, catalogue.get(job.queue_name), 'delete_denial')
    await deleteJobs(tx.db, [id])
    await recordAudit(tx, { ...{ action: 'job.delete', resource: 'job', id }, before: factsOf(job) })
    const answer = { success: true } as const
    await keepAnswer(tx, claim, answer)
    return answer
  })
}
