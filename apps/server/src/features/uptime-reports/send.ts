import { randomUUID } from 'node:crypto'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { queueMail } from '../mail/index.ts'
import { findDue, insertMail, type ReportCustomer } from './queries.ts'
import { renderText } from './render-text.ts'
import { findReport, lastMonth } from './report.ts'
import { mailSubject } from './words.ts'

/** The mail and that it was written are one: nobody gets a month twice, whatever ends the process. */
async function sendOne(ctx: RequestContext, { id, name, email }: ReportCustomer, month: string): Promise<void> {
  const report = await findReport(ctx, id, month)
  if (report.sites.length === 0) return
  await inTransaction(ctx, async (tx) => {
    const mailId = randomUUID()
    if (!(await insertMail(tx, { customerId: id, month, mailId, at: new Date(tx.clock()) }))) return
    await queueMail(tx, {
      id: mailId,
      kind: `customer.uptime_report:${id}`,
      to: { address: email ?? '', name },
      subject: mailSubject(report),
      text: renderText(report),
    })
    await recordAudit(tx, { action: 'customer.mail_uptime_report', resource: 'customer', id, after: { month } })
  })
}

/** On the 1st, and on the days after it what was missed. Without a mail server nothing waits in the outbox. */
export async function sendReports(ctx: RequestContext, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  if (ctx.config.smtpUrl === undefined) return
  const now = new Date(ctx.clock())
  const monthBegan = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const month = lastMonth(ctx.clock())
  for (const customer of await findDue(ctx, month, monthBegan)) {
    if (signal.aborted) return
    try {
      await sendOne(ctx, customer, month)
    } catch (error) {
      // One that cannot be made must not keep the others; it is tried again tomorrow.
      ctx.log.warn({ err: error, customerId: customer.id }, 'an uptime report could not be sent')
    }
  }
}
