import type { ErrorCode } from '@agency/contract/errors'
import { inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import type { StripeGateway } from '../../../integrations/stripe/gateway.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { bindKey, keyWasUsed } from '../../../platform/idempotency-keys.ts'
import { nextFetchSeq } from '../../mirror/index.ts'
import { type ActionRow, findAction, insertAction } from '../queries/money-actions.ts'
import { type ActionRequest, adoptedHash, isHeld, providerKeyOf } from './action.ts'
import { kindWords } from './kinds.ts'
import { runningText, unknownText } from './sentences.ts'

/** What is sent to the provider, or that there is nothing to send. */
export type Prepared<Answer> =
  | {
      payload: object
      amount: number | null
      currency: string | null
      /** For the audit entry: what it was, and what it is expected to be. */
      told?: { before: Record<string, unknown>; expected: Record<string, unknown> }
    }
  | { unchanged: Answer; payload: object }

/** `fetchSeq` was taken before the call, for what it will return. */
export type Started = { action: ActionRow; fetchSeq: number; stripe: StripeGateway }

type Steps<Target, Answer> = {
  /** Locks what is acted on, so that of two requests the second sees what the first has begun. */
  lock(tx: TransactionContext): Promise<Target>
  prepare(tx: TransactionContext, target: Target): Promise<Prepared<Answer>>
}

/** Writes down that an action begins, in one transaction with its checks; or answers that there is nothing to do. */
export function beginAction<Target, Answer>(
  ctx: RequestContext,
  request: ActionRequest,
  { lock, prepare }: Steps<Target, Answer>,
): Promise<{ answer: Answer } | Started> {
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, request.claim, request.id)
    const target = await lock(tx)
    const { stripe } = ctx
    if (!stripe) throw new AppError('not_connected', 'Stripe is not connected')
    const prepared = await prepare(tx, target)
    if ('unchanged' in prepared) {
      if (request.claim) await keepUnchanged(tx, request, prepared)
      return { answer: prepared.unchanged }
    }
    const action = await insertStarted(tx, request, prepared)
    if (!action) return { answer: await answerOfAdopted<Answer>(tx, request, prepared.amount) }
    await recordAudit(tx, {
      action: kindWords[request.kind].audit,
      resource: kindWords[request.kind].resource,
      id: request.target,
      ...(prepared.told && { before: prepared.told.before }),
      after: {
        state: 'requested',
        action_id: action.id,
        ...(kindWords[request.kind].isPersonal ? {} : prepared.payload),
        currency: action.currency,
        ...prepared.told?.expected,
      },
    })
    return { action, fetchSeq: await nextFetchSeq(tx.db), stripe }
  })
}

/** What an action was answered, be it good or bad; or how far it is. */
export async function answerAction<Answer>({ db, clock }: Pick<RequestContext, 'db' | 'clock'>, id: string) {
  const action = await findAction(db, id)
  if (!action) throw new Error(`There is no action ${id}`)
  return answerOf<Answer>(action, isHeld({ clock }, action))
}

function answerOf<Answer>(action: ActionRow, isRunning: boolean): Answer {
  const error = action.error as { code: ErrorCode; message: string; parameter?: string } | null
  if (action.state === 'done') return action.answer as Answer
  if (action.state === 'failed')
    throw new AppError(error?.code ?? 'provider_invalid', error?.message ?? '', { parameter: error?.parameter })
  if (action.state === 'started' && isRunning) throw new AppError('conflict', runningText(action))
  throw new AppError('outcome_unknown', error?.message ?? unknownText(action, 'The console was restarted'))
}

const rowOf = (tx: TransactionContext, { id, kind, target, hash }: ActionRequest) => ({
  id,
  kind,
  target_id: target,
  payload_hash: hash,
  provider_key: providerKeyOf({ kind, id }),
  actor_type: tx.actor.type,
  actor_id: tx.actor.id,
  actor_name: tx.actor.name,
  created_at: new Date(tx.clock()),
})

async function insertStarted(
  tx: TransactionContext,
  request: ActionRequest,
  { payload, amount, currency }: Exclude<Prepared<unknown>, { unchanged: unknown }>,
): Promise<ActionRow | undefined> {
  return insertAction(tx.db, {
    ...rowOf(tx, request),
    payload: JSON.stringify(payload),
    state: 'started',
    amount,
    currency,
    sent_at: new Date(tx.clock()),
  })
}

/** After a restore a repeat meets the action that was found at the provider. Else its key is the id of another one. */
async function answerOfAdopted<Answer>(
  tx: TransactionContext,
  { id, kind, target }: ActionRequest,
  amount: number | null,
): Promise<Answer> {
  const found = await findAction(tx.db, id)
  const isSame = found?.payload_hash === adoptedHash && found.kind === kind && found.target_id === target
  if (!isSame || found.amount !== amount) throw keyWasUsed()
  return answerOf(found, false)
}

/** Nothing is sent, but the key is used: a repeat gets this answer, whatever has happened since. */
async function keepUnchanged<Answer>(
  tx: TransactionContext,
  request: ActionRequest,
  { payload, unchanged }: { payload: object; unchanged: Answer },
): Promise<void> {
  const kept = await insertAction(tx.db, {
    ...rowOf(tx, request),
    payload: JSON.stringify(payload),
    state: 'done',
    finished_at: new Date(tx.clock()),
    answer_status: 200,
    answer: JSON.stringify(unchanged),
  })
  if (!kept) throw keyWasUsed()
}
