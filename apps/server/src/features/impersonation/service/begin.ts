import { randomUUID } from 'node:crypto'
import type { Impersonation } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { mailNotice } from '../notice.ts'
import {
  type CustomerRow,
  findCustomer,
  findLiveIn,
  type ImpersonationRow,
  insertImpersonation,
  patchImpersonation,
} from '../queries/impersonations.ts'
import { findShown } from '../queries/list.ts'

export type Asked = { customer_id: string; reason: string; ticket_id: string | null; notify: boolean }

/** A key that nobody has signed in with never signs out, and says nothing of who uses it. */
export function sessionOf({ actor }: RequestContext): string {
  if (actor.sessionId !== undefined) return actor.sessionId
  throw new AppError('conflict', 'Sign in to impersonate a customer')
}

const nested = () => new AppError('conflict', 'You are already viewing a customer. End that view first.')

async function getCustomer(tx: TransactionContext, { customer_id: id, notify }: Asked): Promise<CustomerRow> {
  const customer = await findCustomer(tx.db, id)
  if (!customer) throw notFound(`Customer ${id}`)
  if (customer.isDeleted) throw new AppError('conflict', 'This customer was deleted. Nothing was started.')
  if (notify && !customer.email)
    throw new AppError('conflict', 'This customer has no email address to notify. Nothing was started.')
  return customer
}

type Beginning = { way: 'view'; until: Date } | { way: 'portal' }

/** Writes down who acts as whom and why, with its audit entry: once this is committed, something may be handed out. */
export async function begin(
  tx: TransactionContext,
  sessionId: string,
  asked: Asked,
  beginning: Beginning,
): Promise<{ row: ImpersonationRow; customer: CustomerRow }> {
  const { customer_id, reason, ticket_id } = asked
  const customer = await getCustomer(tx, asked)
  if (await findLiveIn(tx.db, sessionId)) throw nested()
  const isView = beginning.way === 'view'
  const row = await insertImpersonation(tx.db, {
    id: `imp_${randomUUID().replaceAll('-', '')}`,
    ...{ way: beginning.way, state: isView ? 'live' : 'requested' },
    ...{ customer_id, session_id: sessionId, reason, ticket_id },
    ...{ actor_type: tx.actor.type, actor_id: tx.actor.id, actor_name: tx.actor.name },
    started_at: new Date(tx.clock()),
    until: isView ? beginning.until : null,
  })
  if (!row) throw nested()
  await recordAudit(tx, {
    action: 'impersonation.start',
    resource: 'customer',
    id: customer_id,
    after: {
      impersonation_id: row.id,
      way: row.way,
      ...(!isView && { state: 'requested' }),
      ...{ reason, ticket_id, notify: asked.notify },
      ...(isView && { until: beginning.until.toISOString() }),
    },
  })
  return { row, customer }
}

/** The mail goes off with what it tells of: both are kept, or neither. */
export async function tellCustomer(
  tx: TransactionContext,
  { row, customer }: { row: ImpersonationRow; customer: CustomerRow },
): Promise<'queued' | 'kept'> {
  const notice = await mailNotice(tx, row, customer)
  await patchImpersonation(tx.db, row, { notice })
  return notice
}

export async function shownTo({ pool, actor }: RequestContext, id: string): Promise<Impersonation> {
  const found = await findShown(pool, id, actor.sessionId ?? null)
  if (!found) throw notFound(`Impersonation ${id}`)
  return found
}
