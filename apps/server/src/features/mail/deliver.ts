import { type AppContext, inTransaction, type RequestContext } from '../../context.ts'
import { type OutgoingMail, SmtpError, sendMail } from '../../integrations/smtp/client.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { notify } from '../notifications/index.ts'
import { sendJob } from './job-settings.ts'
import { deleteOldMails, findAttachments, findForgotten, findMail, type MailRow, saveOutcome } from './queries/mails.ts'

const dayMs = 86_400_000
/** Longer than all tries of a mail take together. */
const forgottenMs = 3 * 3_600_000

/** Sends a mail that waits. Fails, so that the queue tries again; after the last try the mail says why it was not sent. */
export async function deliver(ctx: RequestContext, id: string, run: Pick<JobRun, 'isLastAttempt'>): Promise<void> {
  const mail = await findMail(ctx, id)
  if (mail?.state !== 'queued') return
  const { smtpUrl, mailFrom } = ctx.config
  if (smtpUrl === undefined || mailFrom === undefined)
    return saveOutcome(ctx, id, { state: 'kept', error: null, isTry: false })
  const text = await readText(ctx, mail)
  if (text === null) return giveUp(ctx, mail, unreadable, false)
  try {
    await sendMail({ url: smtpUrl, from: mailFrom }, await toOutgoing(ctx, mail, text))
  } catch (error) {
    if (!(error instanceof SmtpError)) throw error
    if (error.isFinal || run.isLastAttempt) return giveUp(ctx, mail, error.message, true)
    await saveOutcome(ctx, id, { state: 'queued', error: error.message, isTry: true })
    throw error
  }
  await saveOutcome(ctx, id, { state: 'sent', error: null, sentAt: new Date(ctx.clock()), isTry: true })
}

export const unreadable = 'Unreadable: encrypted with another SECRETS_KEY'

export async function readText(ctx: Pick<AppContext, 'instance'>, mail: MailRow): Promise<string | null> {
  const box = await ctx.instance(createSecretBox)
  return box.open(mail.sealed_text)
}

async function toOutgoing(ctx: RequestContext, mail: MailRow, text: string): Promise<OutgoingMail> {
  const box = await ctx.instance(createSecretBox)
  const files = await findAttachments(ctx, mail.id)
  return {
    id: mail.id,
    to: { address: mail.to_address, name: mail.to_name },
    ...{ subject: mail.subject, text },
    // Sealed together with the text, so they open where that did.
    html: mail.sealed_html === null ? undefined : (box.open(mail.sealed_html) ?? undefined),
    unsubscribeUrl: mail.sealed_unsubscribe === null ? undefined : (box.open(mail.sealed_unsubscribe) ?? undefined),
    attachments: files.map(({ file_name, content_type, bytes }) => ({
      ...{ filename: file_name, contentType: content_type, content: bytes },
    })),
  }
}

async function giveUp(ctx: RequestContext, mail: MailRow, error: string, isTry: boolean): Promise<void> {
  ctx.log.warn({ mail: mail.id, kind: mail.kind, reason: error }, 'a mail could not be sent')
  await inTransaction(ctx, async (tx) => {
    await saveOutcome(tx, mail.id, { state: 'failed', error, isTry })
    await notify(tx, {
      dedupeKey: `mail.failed:${mail.id}:${mail.attempts}`,
      type: 'mail.failed',
      severity: 'warning',
      permission: 'admin.system',
      title: `The email "${mail.subject}" could not be sent`,
      body: `${error}. Send the email again under System Config.`,
      link: '/admin/config?tab=outbox',
    })
  })
}

/** Deletes what is older than the setting says, and sends what a process that ended left behind. */
export async function tidyMails(ctx: RequestContext): Promise<void> {
  const now = ctx.clock()
  await deleteOldMails(ctx, new Date(now - ctx.config.settings.mailDays * dayMs))
  for (const id of await findForgotten(ctx, new Date(now - forgottenMs)))
    await ctx.jobs.enqueue(ctx, sendJob, { id }, { key: id })
}
