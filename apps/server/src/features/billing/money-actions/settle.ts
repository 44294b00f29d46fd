import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { recordObject } from '../../mirror/index.ts'
import { type ActionRow, lockAction, patchAction, patchIn } from '../queries/money-actions.ts'
import { beginResolving } from './begin-resolving.ts'
import { namesOf, wordsOf } from './kinds.ts'
import { unknownText, unrecordedText } from './sentences.ts'
import { tellOutcome } from './tell.ts'
import { NotDone, type Seen } from './verdict.ts'

/** It happened: what the provider showed, and the answer that a repeat gets again. */
export type Done<Answer = unknown> = {
  seen: readonly Seen[]
  resultId: string
  requestId: string | null
  /** The provider's word for how far it is. */
  status: string
  /** What was acted on could not be read again. */
  copyStale?: boolean
  /** Adds to what was acted on what was proven of it and does not show yet; answers whether there was any such thing. */
  addProven?: (tx: TransactionContext) => Promise<boolean>
  /** For the audit entry: what it was, and what it became. */
  told?: { before: Record<string, unknown>; after: Record<string, unknown> }
  answerOf: (tx: TransactionContext, isStale: boolean) => Promise<Answer>
}

/** What somebody saw who settled it by hand. */
type Evidence = readonly string[] | undefined

const byHand = (evidence: Evidence) => (evidence ? { settled: 'by hand', evidence } : {})

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
    after: {
      ...{ state: outcome, action_id: id, ...namesOf(action), ...started },
      ...(amount !== null && { amount, currency }),
      ...after,
    },
  })
}

/** What a settled action no longer needs. */
const forgotten = (action: ActionRow): { payload?: string } => (wordsOf(action).isPersonal ? { payload: '{}' } : {})

/** Writes down that it happened. */
export function settleDone<Answer>(
  ctx: RequestContext | TransactionContext,
  { id }: ActionRow,
  { seen, resultId, requestId, status, copyStale = false, told, addProven, answerOf }: Done<Answer>,
  evidence?: Evidence,
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
      error: null,
      ...forgotten(action),
    })
    if (isStale) await beginResolving(tx, action)
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
  ctx: RequestContext | TransactionContext,
  { id, state }: ActionRow,
  { refusal: { code, message, requestId = null, extras }, seen, resultId }: NotDone,
  evidence?: Evidence,
): Promise<AppError> {
  const error = new AppError(code, message, extras)
  return inTransaction(ctx, async (tx) => {
    const action = await lockAction(tx.db, id)
    for (const { kind, object, fetchSeq } of seen) await recordObject(tx, kind, object, fetchSeq)
    if (action.state === 'done' || action.state === 'failed') return error
    if (action.state !== state) return new AppError('outcome_unknown', unknownText(action, message))
    await patchAction(tx.db, id, {
      state: 'failed',
      result_id: resultId,
      provider_request_id: requestId,
      finished_at: new Date(tx.clock()),
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

/** Writes down what is found. Answers why it did not happen, if it did not. */
export async function settle(
  ctx: RequestContext,
  action: ActionRow,
  find: () => Promise<Done>,
  evidence?: Evidence,
): Promise<AppError | null> {
  try {
    await settleDone(ctx, action, await find(), evidence)
    return null
  } catch (error) {
    if (!(error instanceof NotDone)) throw error
    return settleFailed(ctx, action, error, evidence)
  }
}

/** What was acted on, read after all. */
export async function recordCopy(tx: TransactionContext, { id }: ActionRow, seen: Seen): Promise<void> {
  await recordObject(tx, seen.kind, seen.object, seen.fetchSeq)
  await patchAction(tx.db, id, { copy_stale: false })
}

export const unknownError = (action: ActionRow, reason: string): string =>
  JSON.stringify({ code: 'outcome_unknown', message: unknownText(action, reason) })

/** The provider may or may not have done it: from here on a run finds out, which waits as after so many tries. */
export async function leaveUnknown(
  ctx: RequestContext,
  action: ActionRow,
  reason: string,
  tries = 1,
): Promise<AppError> {
  try {
    await inTransaction(ctx, async (tx) => {
      const change = { state: 'unknown', error: unknownError(action, reason) }
      if (await patchIn(tx.db, { id: action.id, state: 'started' }, change)) await beginResolving(tx, action, tries)
    })
  } catch (error) {
    ctx.log.error({ err: error, actionId: action.id }, 'unknown outcome could not be recorded')
  }
  return new AppError('outcome_unknown', unknownText(action, reason))
}

/** Stripe has done it, and what stands in the database still says that it is going on: the run repeats the recording. */
export function unrecorded(ctx: RequestContext, action: ActionRow, cause: unknown): AppError {
  ctx.log.error({ err: cause, actionId: action.id }, 'money action could not be recorded')
  return new AppError('outcome_unknown', unrecordedText(action), { cause })
}
