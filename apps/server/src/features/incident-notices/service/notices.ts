import { createHash, randomUUID } from 'node:crypto'
import type { incidentNotices } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { IncidentNotice } from '@agency/contract/incident-notices'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { findIncidentRow, incidentLabel, insertEvent, lockOpen } from '../../incidents/index.ts'
import { queueMail, sendMailAgain } from '../../mail/index.ts'
import {
  findMailOf,
  findNotice,
  findNotices,
  findReceivers,
  insertNotice,
  insertReceivers,
} from '../queries/notices.ts'
import { checkWords, draftOf, type Words, wordsFor } from '../words.ts'

export async function getNotices(
  ctx: RequestContext,
  incidentId: string,
): Promise<ResponseOf<typeof incidentNotices.getIncidentNotices>> {
  const incident = await findIncidentRow(ctx, incidentId)
  if (!incident) throw notFound(`Incident ${incidentId}`)
  const [receivers, notices] = await Promise.all([findReceivers(ctx, incidentId), findNotices(ctx, incidentId)])
  return {
    receivers,
    notices,
    draft: draftOf(incident, ctx.config.settings.companyName),
    has_mail_server: ctx.config.smtpUrl !== undefined,
  }
}

export async function getNotice(ctx: Pick<RequestContext, 'db'>, id: string): Promise<IncidentNotice> {
  const notice = await findNotice(ctx, id)
  if (!notice) throw notFound(`Notice ${id}`)
  return notice
}

export async function previewNotice(
  ctx: RequestContext,
  incidentId: string,
  { customer_id, ...words }: Words & { customer_id: string },
): Promise<Words & { to: string | null }> {
  checkWords(words)
  const receiver = (await findReceivers(ctx, incidentId)).find((one) => one.customer_id === customer_id)
  if (!receiver) throw invalidParameter('customer_id', 'is not affected by this incident')
  return { to: receiver.address, ...wordsFor(words, receiver) }
}

const digestOf = ({ subject, text }: Words): string =>
  createHash('sha256')
    .update(JSON.stringify([subject, text]))
    .digest('hex')

/** Notice, mails, timeline and audit entry are one transaction: whatever ends the process, it is sent to all once or to nobody. */
export async function sendNotice(
  ctx: RequestContext,
  incidentId: string,
  words: Words,
  claim: Claim | null,
): Promise<IncidentNotice> {
  const id = `notice_${randomUUID()}`
  checkWords(words)
  return inTransaction(ctx, async (tx) => {
    const incident = await lockOpen(tx, incidentId)
    if (tx.config.smtpUrl === undefined)
      throw new AppError('conflict', 'Set "Mail server" under System Config first. Nothing was sent.')
    const ready = (await findReceivers(tx, incidentId)).filter(({ standing }) => standing === 'ready')
    if (ready.length === 0) throw new AppError('conflict', 'No affected customer can be emailed. Nothing was sent.')
    await bindKey(tx, claim, id)
    await insertNotice(tx, { id, incidentId, ...words, at: new Date(tx.clock()), by: tx.actor.name })
    const mailOf = new Map(ready.map(({ customer_id }) => [customer_id, randomUUID() as string]))
    const fresh = await insertReceivers(
      tx,
      { id, incidentId, digest: digestOf(words) },
      [...mailOf].map(([customer_id, mail_id]) => ({ customer_id, mail_id })),
    )
    if (fresh.length === 0)
      throw new AppError('conflict', 'Every affected customer already got this notice. Nothing was sent.')
    const isFresh = new Set(fresh.map(({ customer_id }) => customer_id))
    for (const receiver of ready.filter(({ customer_id }) => isFresh.has(customer_id)))
      await queueMail(tx, {
        id: mailOf.get(receiver.customer_id),
        kind: `customer.incident:${receiver.customer_id}`,
        to: { address: receiver.address ?? '', name: receiver.name },
        ...wordsFor(words, receiver),
      })
    const count = fresh.length === 1 ? '1 customer' : `${fresh.length} customers`
    await insertEvent(tx, incidentId, {
      ...{ kind: 'customers_notified', actor: tx.actor.name },
      text: `Emailed ${count}: ${words.subject}`,
    })
    await recordAudit(tx, {
      ...{ action: 'incident.notify_customers', resource: 'incident', id: incidentId },
      after: { name: incidentLabel(incident), notice: id, subject: words.subject, customers: [...isFresh] },
    })
    return getNotice(tx, id)
  })
}

/** One customer did not get it; the mail keeps its text, so it is the same notice. */
export async function retryNotice(
  ctx: RequestContext,
  incidentId: string,
  noticeId: string,
  customerId: string,
): Promise<IncidentNotice> {
  const mailId = await findMailOf(ctx, { incidentId, noticeId, customerId })
  if (mailId === undefined) throw notFound(`Notice ${noticeId}`)
  await sendMailAgain(ctx, mailId)
  return getNotice(ctx, noticeId)
}
