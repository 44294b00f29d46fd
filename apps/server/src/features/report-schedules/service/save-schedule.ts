import { randomUUID } from 'node:crypto'
import type { BodyOf } from '@agency/contract/endpoint'
import type { createReportSchedule, ReportSchedule, updateReportSchedule } from '@agency/contract/report-schedules'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { bindKey, type Claim } from '../../../platform/idempotency-keys.ts'
import { timeZoneOf } from '../../reports/index.ts'
import { nextAfter } from '../due-times.ts'
import { fileKinds } from '../file.ts'
import { changeSchedule, countSchedules, insertSchedule, lockSchedule, type ScheduleRow } from '../queries/schedules.ts'
import { receiversOf } from '../standing.ts'
import { getOwn, needForReport, refuse } from './rights.ts'
import { getShown } from './shown.ts'

type Terms = Omit<BodyOf<typeof createReportSchedule>, 'receiver_ids'> & { receiver_ids: readonly string[] }

const mostSchedules = 500

/** What one field asks of another. */
function checkTerms({
  report,
  customer_id,
  receiver_ids,
  cadence,
  weekday,
  month_day,
  format,
  time_zone,
}: Terms): void {
  const isCustomer = report === 'customer'
  if (isCustomer && customer_id === null) throw invalidParameter('customer_id', 'must say whose report it is')
  if (!isCustomer && customer_id !== null) throw invalidParameter('customer_id', 'is for the report of a customer')
  if (isCustomer && receiver_ids.length > 0)
    throw invalidParameter('receiver_ids', 'must be empty: the report of a customer goes to the customer')
  if (!isCustomer && receiver_ids.length === 0) throw invalidParameter('receiver_ids', 'must not be empty')
  if ((cadence === 'weekly') !== (weekday !== null)) throw invalidParameter('weekday', 'is for weekly reports')
  if ((cadence === 'monthly') !== (month_day !== null)) throw invalidParameter('month_day', 'is for monthly reports')
  if (format !== null && !fileKinds[report]) throw invalidParameter('format', 'is for reports with a table to export')
  timeZoneOf(time_zone, null)
}

/** Whoever gets it must be able to, and others are named only by those who know who there is. */
async function checkReceivers(
  ctx: RequestContext,
  terms: Terms,
  kept: readonly string[],
  action: string,
): Promise<void> {
  const { actor } = ctx
  const others = terms.receiver_ids.filter((id) => !(actor.type === 'user' && id === actor.id) && !kept.includes(id))
  if (others.length > 0 && !actor.permissions.has('admin.users'))
    await refuse(ctx, 'admin.users', { action, id: terms.report })
  const receivers = await receiversOf(ctx, { ...terms, receiver_ids: [...terms.receiver_ids] })
  // One who was named before may lack it by now: that is shown, and no reason to keep everything as it is.
  const wrong = receivers.find(({ id, problem }) => problem !== null && !kept.includes(id))
  const parameter = terms.customer_id === null ? 'receiver_ids' : 'customer_id'
  if (wrong?.problem) throw new AppError('invalid_request', `${wrong.problem}.`, { parameter })
}

function columnsOf(terms: Terms) {
  const { report, customer_id, receiver_ids, format, cadence, weekday, month_day, hour, time_zone } = terms
  const when = { cadence, weekday, month_day, hour, time_zone }
  return { report, customer_id, receiver_ids: [...new Set(receiver_ids)], format, ...when }
}

const ownerOf = ({ actor }: Pick<RequestContext, 'actor'>) => ({
  ...{ owner_type: actor.type, owner_id: actor.id, owner_name: actor.name },
})

export async function createSchedule(ctx: RequestContext, terms: Terms, claim: Claim | null): Promise<ReportSchedule> {
  const action = 'report_schedule.create'
  checkTerms(terms)
  await needForReport(ctx, terms.report, action)
  await checkReceivers(ctx, terms, [], action)
  const id = `rs_${randomUUID().replaceAll('-', '')}`
  await inTransaction(ctx, async (tx) => {
    await bindKey(tx, claim, id)
    if ((await countSchedules(tx)) >= mostSchedules)
      throw new AppError('conflict', `Limit of ${mostSchedules} report schedules reached. Delete one first.`)
    const now = tx.clock()
    const columns = columnsOf(terms)
    await insertSchedule(tx, {
      ...{ id, ...columns, ...ownerOf(tx), state: 'active' },
      ...{ created_at: new Date(now), next_at: new Date(nextAfter(columns, now)) },
    })
    await recordAudit(tx, { action, resource: 'report_schedule', id, after: columns })
  })
  return getShown(ctx, id)
}

const termsOf = (row: ScheduleRow) => columnsOf(row as ScheduleRow & Terms)

/** Whoever changes it stands for it from then on. */
export async function updateSchedule(
  ctx: RequestContext,
  id: string,
  { version, ...terms }: BodyOf<typeof updateReportSchedule>,
): Promise<ReportSchedule> {
  const action = 'report_schedule.update'
  const before = await getOwn(ctx, id, action)
  checkTerms(terms)
  await needForReport(ctx, terms.report, action)
  await checkReceivers(ctx, terms, before.receiver_ids, action)
  await inTransaction(ctx, async (tx) => {
    const row = await lockSchedule(tx, id)
    if (!row) throw notFound(`Report schedule ${id}`)
    if (row.version !== version) throw new AppError('conflict', 'Someone else changed this schedule')
    const columns = columnsOf(terms)
    const next = row.state === 'active' ? { next_at: new Date(nextAfter(columns, tx.clock())) } : {}
    await changeSchedule(tx, id, { ...columns, ...ownerOf(tx), ...next })
    await recordAudit(tx, {
      ...{ action, resource: 'report_schedule', id },
      before: { ...termsOf(row), owner: row.owner_name },
      after: { ...columns, owner: tx.actor.name },
    })
  })
  return getShown(ctx, id)
}
