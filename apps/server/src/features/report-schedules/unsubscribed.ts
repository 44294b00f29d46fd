import type { ScheduleRow } from './queries/schedules.ts'
import type { Unsubscribed } from './queries/unsubscribes.ts'

/** Why one of them got nothing. */
export const unsubscribedReason = 'Unsubscribed'

/** Why nothing is sent at all; null while somebody is left. */
export function nobodyLeft(
  { customer_id, receiver_ids }: Pick<ScheduleRow, 'customer_id' | 'receiver_ids'>,
  unsubscribed: Unsubscribed,
): string | null {
  if (customer_id !== null) return unsubscribed.has(customer_id) ? 'The customer unsubscribed' : null
  return receiver_ids.every((id) => unsubscribed.has(id)) ? 'All receivers unsubscribed' : null
}
