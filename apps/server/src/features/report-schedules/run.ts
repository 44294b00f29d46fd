import type { ScheduledReport } from '@agency/contract/report-schedules'
import type { Actor, RequestContext, TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { AppError } from '../../platform/errors.ts'
import { type DurableRun, durableRun, type Failure, type Outcome } from '../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../platform/runs/queries.ts'
import { permissionsNow } from '../auth/index.ts'
import type { Kinds } from '../exports/index.ts'
import { type MailAttachment, queueMail } from '../mail/index.ts'
import { compose } from './compose.ts'
import type { Rhythm } from './due-times.ts'
import { attachmentOf, kindOf, makeFile } from './file.ts'
import { type DeliveryRow, findDelivery, findReceivers, patchDelivery, patchReceiver } from './queries/deliveries.ts'
import { findSchedule, lockSchedule, type ScheduleRow } from './queries/schedules.ts'
import { unsubscribedFrom } from './queries/unsubscribes.ts'
import { ownerOf, type Receiver, receiversOf } from './standing.ts'
import { recordUnsent, runName, tellFailed } from './start-delivery.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'
import { nobodyLeft, unsubscribedReason } from './unsubscribed.ts'

type Work = { delivery: DeliveryRow; schedule: ScheduleRow }

const deliveryOf = ({ options }: RunRow): string => (options as { delivery_id: string }).delivery_id

/** undefined: the schedule was deleted meanwhile. */
async function workOf(ctx: RequestContext, run: RunRow): Promise<Work | undefined> {
  const [delivery, schedule] = [await findDelivery(ctx, deliveryOf(run)), await findSchedule(ctx, run.subject)]
  return delivery && schedule && { delivery, schedule }
}

const gone: Outcome = { state: 'skipped', note: 'The schedule was deleted' }

async function file(ctx: RequestContext, kinds: Kinds, run: RunRow): Promise<Outcome> {
  const work = await workOf(ctx, run)
  if (!work) return gone
  const { delivery, schedule } = work
  const owner = await ownerOf(ctx, schedule)
  const made = await makeFile({ ...ctx, actor: owner }, kinds, schedule, delivery)
  const isMade = 'exportId' in made
  return {
    state: 'done',
    note: isMade ? null : made.problem,
    async record(tx) {
      await patchDelivery(tx, delivery.id, isMade ? { export_id: made.exportId } : { file_problem: made.problem })
    },
  }
}

/** Each gets it as they themselves would see it; the report of a customer is seen as its owner may. */
async function scopeOf(ctx: RequestContext, schedule: ScheduleRow, receiver: Receiver): Promise<Actor> {
  if (schedule.customer_id !== null) return ownerOf(ctx, schedule)
  const who = { type: 'user' as const, id: receiver.id }
  return { ...who, name: receiver.name ?? '', role: 'none', permissions: await permissionsNow(ctx, who) }
}

const problemOf = async (
  ctx: RequestContext,
  schedule: ScheduleRow,
  { id, problem }: Receiver,
): Promise<string | null> => ((await unsubscribedFrom(ctx, schedule.id)).has(id) ? unsubscribedReason : problem)

type Along = { attachment: MailAttachment | null; note: string | null }

async function along(ctx: RequestContext, kinds: Kinds, { delivery, schedule }: Work, scope: Actor): Promise<Along> {
  const none = (why: string): Along => ({ attachment: null, note: `No file is attached: ${why}.` })
  if (schedule.format === null) return { attachment: null, note: null }
  if (delivery.export_id === null) return none(lowerFirst(delivery.file_problem ?? 'It could not be created'))
  const attachment = await attachmentOf(ctx, delivery.export_id, schedule, delivery)
  if (!attachment) return none('it is on another server')
  const needed = kindOf(kinds, schedule)?.permission
  if (needed && !scope.permissions.has(needed)) return none(`it needs the permission ${needed}`)
  return { attachment, note: `Attached: ${attachment.fileName}.` }
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

async function mail(ctx: RequestContext, kinds: Kinds, run: RunRow, step: StepRow): Promise<Outcome> {
  const work = await workOf(ctx, run)
  if (!work) return gone
  const { delivery, schedule } = work
  const { position } = step.payload as { position: number }
  const receiver = (await receiversOf(ctx, schedule)).find(({ id }) => id === step.target_id)
  const problem = receiver ? await problemOf(ctx, schedule, receiver) : 'Removed from the schedule'
  const place = { deliveryId: delivery.id, position }
  if (!receiver || problem !== null || receiver.email === null) {
    const reason = problem ?? 'No email address'
    return {
      ...{ state: 'skipped', note: reason },
      async record(tx) {
        await patchReceiver(tx, place, { state: 'skipped', reason })
        await closeIfLast(tx, work)
      },
    }
  }
  const { email, name } = receiver
  const scope = await scopeOf(ctx, schedule, receiver)
  const { attachment, note } = await along(ctx, kinds, work, scope)
  const { cadence } = schedule as Pick<Rhythm, 'cadence'>
  const stopUrl = await unsubscribeUrl(ctx, { scheduleId: schedule.id, receiverId: receiver.id })
  const written = await compose(ctx, scope, {
    ...{ report: schedule.report as ScheduledReport, customerId: schedule.customer_id, cadence },
    ...{ timeZone: schedule.time_zone, owner: schedule.owner_name, fileNote: note, stopUrl },
    days: { first: delivery.first_day, last: delivery.last_day },
  })
  // The same for every try, and with it the Message-ID.
  const mailId = `${delivery.id}-${position}`
  return {
    ...{ state: 'done', note: `To ${email}` },
    async record(tx) {
      // The next try sees that they do not want it.
      if ((await unsubscribedFrom(tx, schedule.id)).has(receiver.id))
        throw new AppError('conflict', 'The receiver has unsubscribed')
      await queueMail(tx, {
        ...{ id: mailId, to: { address: email, name }, ...written },
        kind: schedule.customer_id === null ? 'report.scheduled' : `customer.report:${schedule.customer_id}`,
        ...(schedule.customer_id === null && { userId: receiver.id }),
        ...(attachment && { attachments: [attachment] }),
        ...(stopUrl !== null && { unsubscribeUrl: stopUrl }),
      })
      await patchReceiver(tx, place, { state: 'mailed', mail_id: mailId })
      const { report } = schedule
      await recordAudit(tx, {
        ...{ action: 'report_schedule.send', resource: 'report_schedule', id: schedule.id },
        after: { report, to: receiver.id, first_day: delivery.first_day, last_day: delivery.last_day },
      })
      await closeIfLast(tx, work)
    },
  }
}

async function closeIfLast(tx: TransactionContext, { delivery, schedule }: Work): Promise<void> {
  const receivers = await findReceivers(tx, delivery.id)
  if (receivers.some(({ state }) => state === 'waiting')) return
  const finished_at = new Date(tx.clock())
  if (receivers.some(({ state }) => state === 'mailed')) {
    await patchDelivery(tx, delivery.id, { state: 'done', finished_at })
    return
  }
  const nobody = nobodyLeft(schedule, await unsubscribedFrom(tx, schedule.id))
  const other = receivers.find(({ reason }) => reason !== unsubscribedReason)
  const reason = nobody ?? other?.reason ?? receivers[0]?.reason ?? 'No receivers'
  await patchDelivery(tx, delivery.id, { state: 'failed', reason, finished_at })
  const told = nobody === null ? tellFailed : recordUnsent
  await told(tx, schedule, delivery.id, reason)
}

const judge = (error: unknown): Failure => ({
  reason:
    error instanceof AppError && error.code !== 'internal'
      ? error.message.replace(/\.$/, '')
      : 'The report could not be created; see the server log',
  isFinal: false,
})

async function failed(tx: TransactionContext, run: RunRow, _step: StepRow, reason: string): Promise<void> {
  const schedule = await findSchedule(tx, run.subject)
  if (!schedule) return
  const id = deliveryOf(run)
  await patchDelivery(tx, id, { state: 'failed', reason, finished_at: new Date(tx.clock()) })
  await tellFailed(tx, schedule, id, reason)
}

/** A report to its receivers, one after the other, and of a schedule one at a time: each mail is written down together with that it was. */
export const deliveryRun = (kinds: Kinds): DurableRun =>
  durableRun({
    name: runName,
    steps: {
      file: (ctx, run) => file(ctx, kinds, run),
      mail: (ctx, run, step) => mail(ctx, kinds, run, step),
    },
    topics: ['report_schedules'],
    // Nobody unsubscribes between the last look at that and the mail.
    lock: (tx, scheduleId) => lockSchedule(tx, scheduleId),
    judge,
    // About an hour.
    mostTries: 12,
    failed,
  })
