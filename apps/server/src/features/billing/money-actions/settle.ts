import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import type { ObjectKind, ProviderObject } from '../../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { recordObject } from '../../mirror/index.ts'
import { type ActionRow, lockAction, patchAction, patchTry } from '../queries/money-actions.ts'
import { leaseMs, pauseAfter } from './action.ts'
import { wordsOf } from './kinds.ts'
import { resolveSettings } from './resolve-settings.ts'
import { unknownText, unrecordedText } from './sentences.ts'
import { tellOutcome } from './tell.ts'
import type { Refusal } from './verdict.ts'

/** An object as the provider showed it, and the number that was taken before it was asked for. */
export type Seen = { kind: ObjectKind; object: ProviderObject; fetchSeq: number }

export type Done = {
  seen: readonly Seen[]
  resultId: string
  requestId: string | null
  /** The provider's word for how far it is. */
  status: string
  /** What was acted on could not be read again. */
  copyStale: boolean
  /** What somebody saw who settled it by hand. */
  evidence?: readonly string[] | undefined
  /** Adds to what was acted on what was proven of it and does not show yet; answers whether there was any such thing. */
  addProven?: (tx: TransactionContext) => Promise<boolean>
  /** For the audit entry: what it was, and what it became. */
  told?: { before: Record<string, unknown>; after: Record<string, unknown> } | undefined
}

const byHand = (evidence: readonly string[] | undefined) => (evidence ? { settled: 'by hand', evidence } : {})

function auditOutcome(
  tx: TransactionContext,
  action: ActionRow,
  outcome: 'done' | 'failed',
  after: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> {
  const { id, amount, currency, actor_name } = action
  const started = tx.actor.type === 'job' ? { started_by: actor_name } : {}
  return recordAudit(tx, {
    action: wordsOf(action).audit,
    resource: wordsOf(action).resource,
    id: action.target_id,
    outcome,
    ...(before && { before }),
    after: { state: outcome, action_id: id, ...started, ...(amount !== null && { amount, currency }), ...after },
  })
}

/** What a settled action no longer needs. */
const forgotten = (action: ActionRow): { payload?: string } => (wordsOf(action).isPersonal ? { payload: '{}' } : {})

/** Writes down that it happened, with what the provider showed and the answer that a repeat gets again. */
export function settleDone<Answer>(
  ctx: RequestContext,
  { id }: ActionRow,
  { seen, resultId, requestId, status, copyStale, told, evidence, addProven }: Done,
  answerOf: (tx: TransactionContext, isStale: boolean) => Promise<Answer>,
): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const action = await lockAction(tx.db, id)
    let isStale = copyStale
    for (const { kind, object, fetchSeq } of seen) {
      const isShown = await recordObject(tx, kind, object, fetchSeq)
      // What the mirror shows instead was asked for later, but may have been answered before this was done.
      if (!isShown && object.id === action.target_id) isStale = true
    }
    if (action.state === 'done') return action.answer as Answer
    if (await addProven?.(tx)) isStale = true
    await patchAction(tx.db, id, {
      state: 'done',
      result_id: resultId,
      provider_request_id: requestId,
      finished_at: new Date(tx.clock()),
      copy_stale: isStale,
      next_try_at: isStale ? new Date(tx.clock() + pauseAfter(1)) : null,
      error: null,
      ...forgotten(action),
    })
    const answer = await answerOf(tx, isStale)
    await patchAction(tx.db, id, { answer_status: 200, answer: JSON.stringify(answer) })
    const about = wordsOf(action).makes ? { ...action, target_id: resultId } : action
    const result = { result_id: resultId, status, provider_request_id: requestId, ...byHand(evidence) }
    await auditOutcome(tx, about, 'done', { ...result, ...told?.after }, told?.before)
    await tellOutcome(tx, about, { status })
    return answer
  })
}

/**
 * Writes down that it did not happen. Answers the error to throw, so that the transaction is kept. Whoever took the
 * action over meanwhile knows better.
 */
export function settleFailed(
  ctx: RequestContext,
  { id, attempts }: ActionRow,
  { code, message, requestId = null, extras }: Refusal,
  {
    seen = [],
    resultId = null,
    evidence,
  }: { seen?: readonly Seen[]; resultId?: string | null; evidence?: readonly string[] | undefined } = {},
): Promise<AppError> {
  const error = new AppError(code, message, extras)
  return inTransaction(ctx, async (tx) => {
    const action = await lockAction(tx.db, id)
    for (const { kind, object, fetchSeq } of seen) await recordObject(tx, kind, object, fetchSeq)
    if (action.state === 'done' || action.state === 'failed') return error
    if (action.attempts !== attempts) return new AppError('outcome_unknown', unknownText(action, message))
    await patchAction(tx.db, id, {
      state: 'failed',
      result_id: resultId,
      provider_request_id: requestId,
      finished_at: new Date(tx.clock()),
      next_try_at: null,
      error: JSON.stringify({ code, message, parameter: extras?.parameter }),
      answer_status: error.status,
      ...forgotten(action),
    })
    const result = { result_id: resultId, provider_request_id: requestId, ...byHand(evidence) }
    await auditOutcome(tx, action, 'failed', { reason: message, ...result })
    await tellOutcome(tx, action, { failure: message })
    return error
  })
}

/** What was acted on, read after all. */
export function recordCopy(ctx: RequestContext, action: ActionRow, { kind, object, fetchSeq }: Seen): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await lockAction(tx.db, action.id)
    await recordObject(tx, kind, object, fetchSeq)
    await patchAction(tx.db, action.id, { copy_stale: false, next_try_at: null })
  })
}

/** The provider may or may not have done it: from here on the job finds out. */
export async function leaveUnknown(ctx: RequestContext, action: ActionRow, reason: string): Promise<AppError> {
  const message = unknownText(action, reason)
  const nextTryAt = new Date(ctx.clock() + pauseAfter(action.attempts))
  try {
    await inTransaction(ctx, async (tx) => {
      await patchTry(tx.db, action, {
        state: 'unknown',
        error: JSON.stringify({ code: 'outcome_unknown', message }),
        next_try_at: nextTryAt,
        asked_at: null,
      })
      // A job that waits keeps the one of each minute from being enqueued, so it must not wait longer than that.
      if (nextTryAt.getTime() - tx.clock() < leaseMs)
        await tx.jobs.enqueue(tx, resolveSettings, {}, { startAfter: nextTryAt })
    })
  } catch (error) {
    ctx.log.error({ err: error, actionId: action.id }, 'unknown outcome could not be recorded')
  }
  return new AppError('outcome_unknown', message)
}

/** Stripe has done it, and what stands in the database still says that it is going on: the job repeats the recording. */
export function unrecorded(ctx: RequestContext, action: ActionRow, cause: unknown): AppError {
  ctx.log.error({ err: cause, actionId: action.id }, 'money action could not be recorded')
  return new AppError('outcome_unknown', unrecordedText(action), { cause })
}
