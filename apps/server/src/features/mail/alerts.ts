import { inTransaction, type RequestContext } from '../../context.ts'
import { type Alert, alertKind, findUntold, lockAlerts } from './queries/alerts.ts'
import { queueMail } from './queue-mail.ts'

/** What is older is no alert any more. */
const dayMs = 86_400_000

/** Writes to the alert recipients about every serious notification, once. */
export async function mailAlerts(ctx: RequestContext): Promise<void> {
  const recipients = ctx.config.settings.alertRecipients
  if (recipients.length === 0) return
  await inTransaction(ctx, async (tx) => {
    await lockAlerts(tx)
    for (const alert of await findUntold(tx, new Date(tx.clock() - dayMs))) {
      const mail = { kind: `${alertKind}:${alert.id}`, subject: alert.title, text: textOf(ctx, alert) }
      for (const address of recipients) await queueMail(tx, { ...mail, to: { address, name: null } })
    }
  })
}

function textOf({ config }: RequestContext, { title, body, link }: Alert): string {
  const where = link !== null && config.publicUrl !== undefined ? `${config.publicUrl}${link}` : null
  const why = `You get this mail because you are an alert recipient of ${config.settings.companyName}.`
  return `${[title, body, where, why].filter((part) => part !== null).join('\n\n')}\n`
}
