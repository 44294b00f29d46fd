import type { customers } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import { z } from 'zod'
import type { RequestContext } from '../../../context.ts'
import { invalidParameter, notFound } from '../../../platform/errors.ts'
import { activityTitle } from '../activity-text.ts'
import { type ActivityCursor, type ActivityRow, findActivity } from '../queries/activity.ts'

type Answer = ResponseOf<typeof customers.listCustomerActivity>

const cursorShape = z.tuple([z.iso.datetime(), z.string().min(1)])

const cursorOf = ({ at, key }: ActivityRow): string => `${at} ${key}`

function readCursor(text: string): ActivityCursor {
  const space = text.indexOf(' ')
  const parsed = cursorShape.safeParse([text.slice(0, space), text.slice(space + 1)])
  if (!parsed.success) throw invalidParameter('before', 'must be the next of an earlier answer')
  const [at, key] = parsed.data
  return { at, key }
}

const toEntry = (row: ActivityRow): Answer['entries'][number] => ({
  id: row.key,
  at: row.at,
  kind: row.kind,
  title: activityTitle(row),
  detail: row.detail,
  link_id: row.object_id,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  actor: row.actor,
})

/** What happened with a customer and whatever is theirs, newest first. */
export async function listActivity(
  ctx: RequestContext,
  id: string,
  { limit, before }: QueryOf<typeof customers.listCustomerActivity>,
): Promise<Answer> {
  const cursor = before === undefined ? undefined : readCursor(before)
  const rows = await findActivity(ctx.pool, id, limit + 1, cursor, ctx.actor.permissions.has('support.read'))
  if (!rows) throw notFound(`Customer ${id}`)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit
  return { entries: shown.map(toEntry), has_more: hasMore, next: hasMore && last ? cursorOf(last) : null }
}
