import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext, type TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { bindKey, type Claim } from '../../platform/idempotency-keys.ts'
import { beginRun } from '../../platform/runs/change.ts'
import { findOpenRun } from '../../platform/runs/queries.ts'
import { blockOf } from './blocks.ts'
import { runName } from './job-settings.ts'
import { type Options, planOf, type Situation } from './plan.ts'
import { lockCustomer } from './queries/situation.ts'
import { situationOf } from './situation.ts'

export type Start = {
  customerId: string
  options: Options
  claim: Claim | null
  /** Throws why the caller may not. */
  check?: (situation: Situation) => void
}

function insertPlanned(tx: TransactionContext, id: string, { customerId, options }: Start, situation: Situation) {
  return beginRun(tx, {
    ...{ id, name: runName, kind: options.kind, subject: customerId, topic: 'lifecycle', options },
    steps: planOf(options, situation).steps.map(({ kind: name, target, payload }) => ({ name, target, payload })),
  })
}

/** Writes down what is to be done, with its steps; jobs do it. Answers the run's id. */
export function startRun(ctx: RequestContext, start: Start): Promise<string> {
  const { customerId, options } = start
  const id = randomUUID()
  return inTransaction(ctx, async (tx) => {
    await bindKey(tx, start.claim, id)
    await lockCustomer(tx.db, customerId)
    const situation = await situationOf(tx, customerId)
    start.check?.(situation)
    const blocked = blockOf(options.kind, situation, await findOpenRun(tx.db, runName, customerId))
    if (blocked !== null) throw new AppError('conflict', `${blocked}. Nothing was changed.`)
    await insertPlanned(tx, id, start, situation)
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
