import type { ImpersonationCause } from '@agency/contract/impersonation'
import { asSystem, inTransaction, type RequestContext, type TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { permissionsOf, stageOf, superAdmin } from '../../auth/index.ts'
import { endOfView, type ViewFacts } from '../ending.ts'
import {
  findForgotten,
  findLiveViews,
  findPages,
  hasOpen,
  type ImpersonationRow,
  type LiveViewRow,
  patchImpersonation,
} from '../queries/impersonations.ts'

/** Longer than all tries of one call to the provider take. */
const forgottenAfterMs = 2 * 60_000

function factsOf(row: LiveViewRow): ViewFacts {
  const isUser = row.actor_type === 'user'
  const role = isUser ? (row.role ?? 'none') : superAdmin
  const { idle_expires_at: idleExpiresAt, expires_at: expiresAt, stage } = row
  const { requires_second_factor, totp_enabled_at } = row
  return {
    // The table wants it of every view.
    until: row.until as Date,
    session:
      idleExpiresAt && expiresAt && stage
        ? {
            ...{ idleExpiresAt, expiresAt, revokedAt: row.revoked_at, revokedReason: row.revoked_reason },
            stage: stageOf({ stage, requires_second_factor, totp_enabled_at }),
          }
        : null,
    isActive: !isUser || row.is_active === true,
    mayImpersonate: permissionsOf(role, row.permissions ?? []).has('customers.write'),
    hasCustomer: row.live_customer_id !== null,
  }
}

type Ending = { at: Date; cause: ImpersonationCause; endedBy: string | null }

/** Ends a live view with its audit entry; undefined when somebody else has just done it. */
export async function endView(
  tx: TransactionContext,
  row: ImpersonationRow,
  { at, cause, endedBy }: Ending,
): Promise<ImpersonationRow | undefined> {
  const ended = await patchImpersonation(tx.db, row, { state: 'ended', ended_at: at, cause, ended_by: endedBy })
  if (!ended) return undefined
  await recordAudit(tx, {
    action: 'impersonation.end',
    resource: 'customer',
    id: row.customer_id,
    after: {
      impersonation_id: row.id,
      way: row.way,
      cause,
      of: row.actor_name,
      started_at: row.started_at.toISOString(),
      ended_at: at.toISOString(),
      seconds: Math.round((at.getTime() - row.started_at.getTime()) / 1000),
      pages: await findPages(tx.db, row.id),
      writes: 0,
    },
  })
  return ended
}

/** A process that ended between the request and its answer has handed over nothing. */
async function failForgotten(tx: TransactionContext, row: ImpersonationRow): Promise<void> {
  const failed = { state: 'failed', cause: 'interrupted', ended_at: new Date(tx.clock()) }
  if (!(await patchImpersonation(tx.db, row, failed))) return
  await recordAudit(tx, {
    action: 'impersonation.start',
    resource: 'customer',
    id: row.customer_id,
    outcome: 'failed',
    after: { impersonation_id: row.id, way: row.way, state: 'failed', cause: 'interrupted', of: row.actor_name },
  })
}

/** Writes down what is over by now, with the moment at which it was. Doing it twice changes nothing. */
export async function settleEnded(ctx: RequestContext): Promise<void> {
  if (!(await hasOpen(ctx.db))) return
  const now = ctx.clock()
  const system = asSystem(ctx, 'job', 'impersonation.settle')
  for (const row of await findLiveViews(ctx.db)) {
    const end = endOfView(factsOf(row), now)
    if (end) await inTransaction(system, (tx) => endView(tx, row, { ...end, endedBy: null }))
  }
  for (const row of await findForgotten(ctx.db, new Date(now - forgottenAfterMs)))
    await inTransaction(system, (tx) => failForgotten(tx, row))
}
