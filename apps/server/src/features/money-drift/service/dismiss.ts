import type { BodyOf } from '@agency/contract/endpoint'
import type { dismissMoneyDrift, MoneyDrift } from '@agency/contract/money-drift'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { deleteDismissal, findDismissal, lockRow, saveDismissal } from '../queries/rows.ts'
import { getDrift } from './get.ts'

const longestMs = 366 * 86_400_000

function endOf(ctx: RequestContext, text: string): Date {
  const until = new Date(text)
  const ahead = until.getTime() - ctx.clock()
  if (ahead <= 0 || ahead > longestMs) throw invalidParameter('until', 'must be within the next year')
  return until
}

/** For these facts and until then; the same again changes nothing. */
export async function dismiss(
  ctx: RequestContext,
  id: string,
  body: BodyOf<typeof dismissMoneyDrift>,
  claim: Claim | null,
): Promise<MoneyDrift> {
  const until = endOf(ctx, body.until)
  await inTransaction(ctx, async (tx) => {
    const row = await lockRow(tx, id)
    if (!row) throw notFound(`Drift ${id}`)
    await bindKey(tx, claim, id)
    const before = await findDismissal(tx, id)
    const isSame =
      before?.facts === row.facts && before.reason === body.reason && before.until.getTime() === until.getTime()
    if (isSame) return
    await saveDismissal(tx, {
      ...{ driftId: id, facts: row.facts, reason: body.reason, until },
      ...{ at: new Date(tx.clock()), by: tx.actor.name },
    })
    await recordAudit(tx, {
      ...{ action: 'money_drift.dismiss', resource: 'money_drift', id },
      after: { subject: row.subject, reason: body.reason, until: until.toISOString() },
    })
  })
  return getDrift(ctx, id)
}

export async function restore(ctx: RequestContext, id: string): Promise<MoneyDrift> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockRow(tx, id)
    if (!row) throw notFound(`Drift ${id}`)
    const before = await findDismissal(tx, id)
    if (!before) return
    await deleteDismissal(tx, id)
    await recordAudit(tx, {
      ...{ action: 'money_drift.restore', resource: 'money_drift', id },
      before: { subject: row.subject, reason: before.reason, until: before.until.toISOString() },
    })
  })
  return getDrift(ctx, id)
}
