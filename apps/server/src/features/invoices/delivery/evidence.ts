import { fields } from '../../../integrations/stripe/fields.ts'
import { pagesOf } from '../../../integrations/stripe/pages.ts'
import type { Work } from '../../billing/index.ts'
import { clocksDifferMs } from './attempt.ts'

const maxPages = 20

/** Whether this very call made something happen at the provider: the event of it carries the key of the call. */
export async function wasCausedBy({ stripe, action }: Work, type: string, key: string): Promise<boolean> {
  const createdFrom = new Date(action.created_at.getTime() - clocksDifferMs)
  const load = (startingAfter: string | undefined) =>
    stripe.listEvents({ type, createdFrom, ...(startingAfter && { startingAfter }) })
  for await (const { objects } of pagesOf(load, { what: `events ${type}`, most: maxPages }))
    if (objects.some((event) => fields(event['request'])['idempotency_key'] === key)) return true
  return false
}
