import type { incidentNotices } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import type { MailChoices } from '@agency/contract/incident-notices'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findChoices, saveChoices } from '../queries/choices.ts'

export async function getChoices(ctx: Pick<RequestContext, 'db'>, customerId: string): Promise<MailChoices> {
  const choices = await findChoices(ctx, customerId)
  if (!choices) throw notFound(`Customer ${customerId}`)
  return choices
}

export function setChoices(
  ctx: RequestContext,
  customerId: string,
  { version, ...change }: BodyOf<typeof incidentNotices.setMailChoices>,
): Promise<MailChoices> {
  return inTransaction(ctx, async (tx) => {
    const { version: current, ...before } = await getChoices(tx, customerId)
    const after = {
      takes_notices: change.takes_notices ?? before.takes_notices,
      gets_uptime_report: change.gets_uptime_report ?? before.gets_uptime_report,
    }
    const at = new Date(tx.clock())
    const isSaved =
      current === version && (await saveChoices(tx, customerId, version, { ...after, at, by: tx.actor.name }))
    if (!isSaved)
      throw new AppError('conflict', 'Someone else changed these settings. Nothing was saved.', {
        parameter: 'version',
      })
    await recordAudit(tx, { action: 'customer.choose_emails', resource: 'customer', id: customerId, before, after })
    return getChoices(tx, customerId)
  })
}
