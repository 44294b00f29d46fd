import { randomUUID } from 'node:crypto'
import type { TransactionContext } from '../../context.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { sendJob } from './job-settings.ts'
import { insertAttachments, insertMail } from './queries/mails.ts'

export type NewMail = {
  /** Where something else must know of the mail. */
  id?: string | undefined
  /** `<entity>.<what it is about>`, such as `user.invitation`. */
  kind: string
  to: { address: string; name: string | null }
  subject: string
  /** Plain text. */
  text: string
  /** The same as a page; without it the mail is text only. */
  html?: string
  attachments?: readonly MailAttachment[]
  userId?: string
  /** Where a receiver ends mails of this kind; mail programs offer it beside the mail (RFC 8058). */
  unsubscribeUrl?: string
}

export type MailAttachment = { fileName: string; contentType: string; bytes: Buffer }

/**
 * Writes a mail in the transaction of what it is about. It is sent by a job; without a mail server it is kept in the
 * outbox, which the console shows. Answers which of the two.
 */
export async function queueMail(tx: TransactionContext, mail: NewMail): Promise<'queued' | 'kept'> {
  const state = tx.config.smtpUrl === undefined ? 'kept' : 'queued'
  const box = await tx.instance(createSecretBox)
  const id = mail.id ?? randomUUID()
  await insertMail(tx, {
    id,
    kind: mail.kind,
    to_address: mail.to.address,
    to_name: mail.to.name,
    subject: mail.subject,
    sealed_text: box.seal(mail.text),
    sealed_html: mail.html === undefined ? null : box.seal(mail.html),
    sealed_unsubscribe: mail.unsubscribeUrl === undefined ? null : box.seal(mail.unsubscribeUrl),
    state,
    created_at: new Date(tx.clock()),
    user_id: mail.userId ?? null,
  })
  await insertAttachments(tx, id, mail.attachments ?? [])
  if (state === 'queued') await tx.jobs.enqueue(tx, sendJob, { id }, { key: id })
  return state
}
