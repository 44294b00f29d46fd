import type { Permission } from '@agency/contract/permissions'
import type { ScheduledReport } from '@agency/contract/report-schedules'
import type { Actor, AppContext } from '../../context.ts'
import { permissionsNow } from '../auth/index.ts'
import { findCustomers, findPeople } from './queries/people.ts'
import type { ScheduleRow } from './queries/schedules.ts'

/** What it takes to have a report sent, and to see that it is. */
export const neededFor = (report: ScheduledReport): { write: readonly Permission[]; read: Permission } =>
  report === 'customer'
    ? { write: ['customers.read', 'support.write'], read: 'customers.read' }
    : { write: ['analytics.read'], read: 'analytics.read' }

export type Receiver = {
  id: string
  name: string | null
  email: string | null
  /** Why nothing is sent there. */
  problem: string | null
}

type Addressed = Pick<ScheduleRow, 'report' | 'customer_id' | 'receiver_ids'>

async function customerReceiver(ctx: AppContext, id: string): Promise<Receiver> {
  const [found] = await findCustomers(ctx, [id])
  if (!found) return { id, name: null, email: null, problem: 'Unknown customer' }
  const { name, email, is_gone } = found
  const problem = is_gone ? 'This customer was deleted' : email === null ? 'This customer has no email' : null
  return { id, name, email, problem }
}

/** Each person as they may be written to at this moment, in the order of the ids. */
export async function peopleReceivers(ctx: AppContext, ids: readonly string[]): Promise<Receiver[]> {
  const found = new Map((await findPeople(ctx, ids)).map((person) => [person.id, person]))
  return Promise.all(
    ids.map(async (id) => {
      const person = found.get(id)
      if (!person) return { id, name: null, email: null, problem: 'This account was removed' }
      const { name, email, is_active, has_joined } = person
      if (!is_active) return { id, name, email, problem: `${name} is deactivated` }
      // An address that nobody has answered from may be anybody's.
      if (!has_joined) return { id, name, email, problem: `${name} has not accepted the invitation yet` }
      const held = await permissionsNow(ctx, { type: 'user', id })
      const needed = neededFor('revenue').read
      return { id, name, email, problem: held.has(needed) ? null : `${name} may not see reports (${needed})` }
    }),
  )
}

/** Who gets it now, and who does not. */
export const receiversOf = async (ctx: AppContext, { customer_id, receiver_ids }: Addressed): Promise<Receiver[]> =>
  customer_id === null ? peopleReceivers(ctx, receiver_ids) : [await customerReceiver(ctx, customer_id)]

type Owned = Pick<ScheduleRow, 'report' | 'owner_type' | 'owner_id' | 'owner_name'>

/** Whoever has it sent, with what they may do now. */
export async function ownerOf(ctx: AppContext, { owner_type, owner_id, owner_name }: Owned): Promise<Actor> {
  const who = { type: owner_type as Actor['type'], id: owner_id }
  return { ...who, name: owner_name, role: 'none', permissions: await permissionsNow(ctx, who) }
}

/** Why it may not be sent any more; null while it may. */
export function ownersProblem({ report, owner_name }: Owned, { permissions }: Actor): string | null {
  const lacking = neededFor(report as ScheduledReport).write.find((needed) => !permissions.has(needed))
  if (lacking === undefined) return null
  const what = report === 'customer' ? 'write to customers' : 'see reports'
  return `${owner_name} may no longer ${what} (${lacking})`
}
