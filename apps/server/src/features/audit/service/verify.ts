import { randomUUID } from 'node:crypto'
import type { AuditVerification, auditVerification } from '@agency/contract/audit'
import type { z } from 'zod'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { notify } from '../../notifications/index.ts'
import { acceptLoss } from '../anchor.ts'
import { verifyJob } from '../job-settings.ts'
import { findHead } from '../queries/chain.ts'
import {
  endVerification,
  type Finding,
  findNewestVerification,
  findRunningVerification,
  insertVerification,
  type VerificationRow,
} from '../queries/verifications.ts'
import { type Walked, walkChain } from '../walk-chain.ts'

const toVerification = (row: VerificationRow): AuditVerification => ({
  id: row.id,
  state: row.state as z.output<typeof auditVerification>['state'],
  started_at: row.started_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  started_by: row.started_by,
  total: row.total,
  checked: row.checked,
  finding: row.finding as Finding | null,
})

export async function getChain(ctx: RequestContext) {
  const [head, newest] = await Promise.all([findHead(ctx), findNewestVerification(ctx)])
  return { head, verification: newest ? toVerification(newest) : null }
}

/** Starts a verification; one that runs already is answered instead. */
export async function requestVerification(ctx: RequestContext): Promise<{ verification: AuditVerification }> {
  const answer = await inTransaction(ctx, async (tx) => {
    const { seq } = await findHead(tx)
    const made = await insertVerification(tx, { id: randomUUID(), startedBy: tx.actor.name, total: seq })
    if (made) await recordAudit(tx, { action: 'audit.verify', resource: 'audit', id: made.id })
    // One that lost its process is woken by asking again.
    await tx.jobs.enqueue(tx, verifyJob, {})
    const running = made ?? (await findRunningVerification(tx))
    if (!running) throw new AppError('conflict', 'The verification ended a moment ago. Try again.')
    return { verification: toVerification(running) }
  })
  // The database tells every process, this one included, but its own next request may come sooner.
  ctx.changes.tell('audit')
  return answer
}

export async function cancelVerification(ctx: RequestContext): Promise<{ verification: AuditVerification }> {
  const answer = await inTransaction(ctx, async (tx) => {
    const running = await findRunningVerification(tx)
    const ended = running && (await endVerification(tx, running.id, 'cancelled'))
    if (!ended) throw new AppError('conflict', 'No verification is running')
    await recordAudit(tx, {
      action: 'audit.cancel_verification',
      resource: 'audit',
      id: ended.id,
      after: { checked: ended.checked },
    })
    return { verification: toVerification(ended) }
  })
  ctx.changes.tell('audit')
  return answer
}

/** Goes on with the open verification until it ends or is cancelled. */
export async function runVerification(ctx: RequestContext, run: JobRun): Promise<void> {
  const running = await findRunningVerification(ctx)
  if (!running) return
  try {
    const walked = await walkChain(ctx, running, run.signal)
    if (!walked.isCancelled) await finish(ctx, running.id, walked)
  } catch (error) {
    if (run.isLastAttempt && !run.signal.aborted) await giveUp(ctx, running.id)
    throw error
  }
}

type Ended = Extract<Walked, { isCancelled: false }>

async function finish(ctx: RequestContext, id: string, { finding, anchor }: Ended): Promise<void> {
  try {
    await inTransaction(ctx, async (tx) => {
      const ended = await conclude(tx, id, finding)
      if (!ended) return
      await recordEnd(tx, ended)
      if (anchor) await acceptLoss(tx, anchor)
    })
  } catch (error) {
    if (finding?.kind !== 'head') throw error
    // Without its head the log takes no entry; what was found has to be told all the same.
    ctx.log.error({ err: error }, 'the audit log takes no entry')
    await inTransaction(ctx, (tx) => conclude(tx, id, finding))
  }
}

function stateOf(finding: Finding | null): 'intact' | 'no_anchor' | 'broken' {
  if (finding === null) return 'intact'
  return finding.kind === 'no_anchor' ? 'no_anchor' : 'broken'
}

async function conclude(tx: TransactionContext, id: string, finding: Finding | null) {
  const ended = await endVerification(tx, id, stateOf(finding), finding)
  if (!ended || finding === null) return ended
  const title = finding.kind === 'no_anchor' ? 'The audit log has no anchor' : 'The audit log is not intact'
  tx.log.error({ finding }, title)
  await notify(tx, {
    dedupeKey: `audit.broken:${id}`,
    type: 'audit.broken',
    severity: 'error',
    permission: 'admin.system',
    title,
    body: finding.message,
    link: '/admin/audit',
  })
  return ended
}

const recordEnd = (tx: TransactionContext, { id, state, checked, finding }: VerificationRow): Promise<void> =>
  recordAudit(tx, {
    action: 'audit.verify_end',
    resource: 'audit',
    id,
    outcome: state === 'intact' ? 'done' : 'failed',
    after: { state, checked, finding },
  })

function giveUp(ctx: RequestContext, id: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const ended = await endVerification(tx, id, 'failed')
    if (ended) await recordEnd(tx, ended)
  })
}
