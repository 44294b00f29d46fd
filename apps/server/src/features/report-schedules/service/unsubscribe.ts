import { type Actor, inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { withdrawMails } from '../../mail/index.ts'
import { findCustomers, findPeople } from '../queries/people.ts'
import { lockSchedule, type ScheduleRow } from '../queries/schedules.ts'
import { deleteUnsubscribe, findMailIds, insertUnsubscribe } from '../queries/unsubscribes.ts'
import type { Unsubscriber } from '../unsubscribe-link.ts'
import { unsubscribedReason } from '../unsubscribed.ts'

/** Whoever the mail went to. A customer has no account, and acts under their own name. */
async function actorOf(ctx: RequestContext, id: string): Promise<Actor> {
  const rest = { id, role: 'none', permissions: new Set<never>() }
  const [person] = await findPeople(ctx, [id])
  if (person) return { ...rest, type: 'user', name: person.name }
  const [customer] = await findCustomers(ctx, [id])
  return { ...rest, type: 'anonymous', name: customer?.name || customer?.email || 'Removed account' }
}

type Change = 'unsubscribe' | 'resubscribe'

/** Done twice it changes nothing. Answers the schedule; undefined where it is not there any more. */
export function changeSubscription(
  ctx: RequestContext,
  whose: Unsubscriber,
  change: Change,
): Promise<ScheduleRow | undefined> {
  return inTransaction(ctx, async (tx) => {
    const schedule = await lockSchedule(tx, whose.scheduleId)
    if (!schedule) return undefined
    const isUnsubscribe = change === 'unsubscribe'
    const isChanged = isUnsubscribe
      ? await insertUnsubscribe(tx, whose, new Date(tx.clock()))
      : await deleteUnsubscribe(tx, whose)
    if (!isChanged) return schedule
    if (isUnsubscribe) await withdrawMails(tx, await findMailIds(tx, whose), unsubscribedReason)
    const actor = await actorOf({ ...ctx, db: tx.db }, whose.receiverId)
    const { report, cadence, customer_id } = schedule
    await recordAudit(
      { ...tx, actor },
      {
        ...{ action: isUnsubscribe ? 'report_schedule.unsubscribe' : 'report_schedule.resubscribe' },
        ...{ resource: 'report_schedule', id: schedule.id },
        after: { report, cadence, receiver: whose.receiverId, ...(customer_id !== null && { customer_id }) },
      },
    )
    return schedule
  })
}
