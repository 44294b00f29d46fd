import type { ResponseOf } from '@agency/contract/endpoint'
import type { getScheduleOptions } from '@agency/contract/report-schedules'
import type { RequestContext } from '../../../context.ts'
import { findAllPeople } from '../queries/people.ts'
import { peopleReceivers } from '../standing.ts'

const mostPeople = 200

export async function getOptions(ctx: RequestContext): Promise<ResponseOf<typeof getScheduleOptions>> {
  const { actor, config } = ctx
  const selfId = actor.type === 'user' ? actor.id : null
  const ids = actor.permissions.has('admin.users')
    ? (await findAllPeople(ctx, mostPeople)).map(({ id }) => id)
    : selfId === null
      ? []
      : [selfId]
  return {
    people: await peopleReceivers(ctx, ids),
    self_id: selfId,
    time_zone: config.settings.timeZone,
    has_mail_server: config.smtpUrl !== undefined,
  }
}
