import type { RequestContext } from '../../../context.ts'
import type { Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow } from '../../../platform/runs/queries.ts'
import { queueMail } from '../../mail/index.ts'
import type { Kind } from '../plan.ts'
import { findCustomer } from '../queries/situation.ts'
import { noticeOf } from '../words.ts'

export async function writeNotice(ctx: RequestContext, run: RunRow): Promise<Outcome> {
  const customer = await findCustomer(ctx.db, run.subject)
  const address = customer?.email ?? null
  if (!customer || address === null) return { state: 'skipped', note: 'No email address' }
  const notice = noticeOf(run.kind as Kind, ctx.config.settings.companyName, customer.name)
  const isSent = ctx.config.smtpUrl !== undefined
  return {
    state: 'done',
    note: isSent ? `To ${address}` : `To ${address}: not sent (no mail server)`,
    async record(tx) {
      const kind = `customer.${run.kind}:${run.subject}`
      await queueMail(tx, { kind, to: { address, name: customer.name }, ...notice })
    },
  }
}
