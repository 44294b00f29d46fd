import { createHash, randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { beginRun } from '../../platform/runs/change.ts'
import { findOpenRun } from '../../platform/runs/queries.ts'
import { blockOf } from './blocks.ts'
import { runName } from './job-settings.ts'
import { type Options, planOf, type Situation } from './plan.ts'
import { findRunOfKey, keepKey } from './queries/runs.ts'
import { lockCustomer } from './queries/situation.ts'
import { situationOf } from './situation.ts'

export type Start = {
  customerId: string
  options: Options
  key: string | null
  /** Throws why the caller may not. */
  check?: (situation: Situation) => void
}

const hashOf = (customerId: string, options: Options): string =>
  createHash('sha256')
    .update(JSON.stringify([customerId, options]))
    .digest('hex')

async function findEarlier(tx: TransactionContext, { customerId, options, key }: Start): Promise<string | null> {
  const earlier = key === null ? undefined : await findRunOfKey(tx.db, key)
  if (!earlier) return null
  if (earlier.request_hash !== hashOf(customerId, options))
    throw new AppError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request already: take a new one',
    )
  return earlier.id
}

async function insertPlanned(tx: TransactionContext, start: Start, situation: Situation): Promise<string> {
  const { customerId, options, key } = start
  const id = randomUUID()
  await beginRun(tx, {
    ...{ id, name: runName, kind: options.kind, subject: customerId, topic: 'lifecycle', options },
    steps: planOf(options, situation).steps.map(({ kind: name, target, payload }) => ({ name, target, payload })),
  })
  await keepKey(tx.db, id, key, hashOf(customerId, options))
  return id
}

/** Writes down what is to be done, with its steps; jobs do it. Answers the run's id, of a repeat the first one's. */
export function startRun(ctx: RequestContext, start: Start): Promise<string> {
  const { customerId, options } = start
  return inTransaction(ctx, async (tx) => {
    await lockCustomer(tx.db, customerId)
    const earlier = await findEarlier(tx, start)
    if (earlier !== null) return earlier
    const situation = await situationOf(tx, customerId)
    start.check?.(situation)
    const blocked = blockOf(options.kind, situation, await findOpenRun(tx.db, runName, customerId))
    if (blocked !== null) throw new AppError('conflict', `${blocked}. Nothing was changed.`)
    const id = await insertPlanned(tx, start, situation)
    const { kind, ...chosen } = options
    await recordAudit(tx, {
      action: `customer.${kind}`,
      resource: 'customer',
      id: customerId,
      after: { state: 'requested', run_id: id, ...chosen },
    })
    return id
  })
}
