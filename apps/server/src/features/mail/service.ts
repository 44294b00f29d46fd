import type { Mail } from '@agency/contract/settings'
import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { readText, unreadable } from './deliver.ts'
import { sendJob } from './job-settings.ts'
import { findMails, type MailQuery } from './queries/list-mails.ts'
import { countWaiting, findMail, lockMail, type MailRow, queueAgain } from './queries/mails.ts'

const toMail = (row: MailRow): Mail => ({
  id: row.id,
  kind: row.kind,
  to: row.to_name === null ? row.to_address : `${row.to_name} <${row.to_address}>`,
  subject: row.subject,
  state: row.state as Mail['state'],
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
  attempts: row.attempts,
  error: row.error,
})

export async function listMails(ctx: RequestContext, query: MailQuery) {
  const [{ mails, hasMore }, waiting] = await Promise.all([findMails(ctx, query), countWaiting(ctx)])
  return { mails: mails.map(toMail), has_more: hasMore, waiting }
}

/** The text may hold a link that lets somebody in, so it is written down who read it. */
export function getMail(ctx: RequestContext, id: string) {
  return inTransaction(ctx, async (tx) => {
    const row = await findMail(tx, id)
    if (!row) throw notFound(`Mail ${id}`)
    const text = await readText(tx, row)
    if (text === null) throw new AppError('conflict', unreadable)
    await recordAudit(tx, { action: 'mail.read', resource: 'mail', id, after: { kind: row.kind, to: row.to_address } })
    return { mail: toMail(row), text }
  })
}

export function sendMailAgain(ctx: RequestContext, id: string) {
  return inTransaction(ctx, async (tx) => {
    const row = await lockMail(tx, id)
    if (!row) throw notFound(`Mail ${id}`)
    if (row.state === 'sent') throw new AppError('conflict', 'This email was already sent')
    if (row.state === 'queued') throw new AppError('conflict', 'This email is already on the way')
    if (tx.config.smtpUrl === undefined)
      throw new AppError('conflict', 'Set "Mail server" under System Config first. The email stays in the outbox.')
    await queueAgain(tx, id)
    await tx.jobs.enqueue(tx, sendJob, { id }, { key: id })
    const told = { kind: row.kind, to: row.to_address }
    await recordAudit(tx, {
      action: 'mail.send_again',
      resource: 'mail',
      id,
      before: { ...told, state: row.state },
      after: { ...told, state: 'queued' },
    })
    return { mail: toMail({ ...row, state: 'queued', error: null }) }
  })
}
