import { randomUUID } from 'node:crypto'
import type { PublicUpdate } from '@agency/contract/status-pages'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { findIncidentRow, incidentLabel, insertEvent, lockOpen } from '../../incidents/index.ts'
import { findUpdate, findUpdates, insertUpdate } from '../queries/pages.ts'

export async function listUpdates(ctx: RequestContext, incidentId: string): Promise<PublicUpdate[]> {
  if (!(await findIncidentRow(ctx, incidentId))) throw notFound(`Incident ${incidentId}`)
  return findUpdates(ctx, incidentId)
}

export async function getUpdate(ctx: Pick<RequestContext, 'db'>, id: string): Promise<PublicUpdate> {
  const update = await findUpdate(ctx, id)
  if (!update) throw notFound(`Update ${id}`)
  return update
}

export function addUpdate(
  ctx: RequestContext,
  incidentId: string,
  text: string,
  claim: Claim | null,
): Promise<PublicUpdate> {
  return inTransaction(ctx, async (tx) => {
    const incident = await lockOpen(tx, incidentId)
    const id = `update_${randomUUID()}`
    await bindKey(tx, claim, id)
    await insertUpdate(tx, { id, incidentId, at: new Date(tx.clock()), actor: tx.actor.name, text })
    await insertEvent(tx, incidentId, { kind: 'public_update', actor: tx.actor.name, text })
    await recordAudit(tx, {
      ...{ action: 'incident.update_publicly', resource: 'incident', id: incidentId },
      after: { name: incidentLabel(incident), text },
    })
    return getUpdate(tx, id)
  })
}
