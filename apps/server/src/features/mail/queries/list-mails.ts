import { type Kysely, sql } from 'kysely'
import type { DB } from '../../../db/types.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import type { MailRow, MailState } from './mails.ts'

type Db = { db: Kysely<DB> }
export type MailQuery = PageQuery & { state?: 'all' | MailState | undefined }

async function placeOf({ db }: Db, parameter: 'starting_after' | 'ending_before', id: string): Promise<Date> {
  const row = await db.selectFrom('mails').select('created_at').where('id', '=', id).executeTakeFirst()
  if (!row) throw invalidParameter(parameter, 'must be the id of an object of this list')
  return row.created_at
}

/** One page, newest first, and whether there are more in the direction of reading. */
export async function findMails(
  ctx: Db,
  { limit, starting_after, ending_before, state = 'all' }: MailQuery,
): Promise<{ mails: MailRow[]; hasMore: boolean }> {
  if (starting_after !== undefined && ending_before !== undefined)
    throw invalidParameter('ending_before', 'cannot be combined with starting_after')
  const parameter = ending_before === undefined ? 'starting_after' : 'ending_before'
  const cursor = ending_before ?? starting_after
  const isBackward = ending_before !== undefined
  const direction = isBackward ? 'asc' : 'desc'
  let query = ctx.db.selectFrom('mails').selectAll()
  if (state !== 'all') query = query.where('state', '=', state)
  if (cursor !== undefined) {
    const at = await placeOf(ctx, parameter, cursor)
    const place = sql`(${at}::timestamptz, ${cursor})`
    query = query.where(
      isBackward ? sql<boolean>`(created_at, id) > ${place}` : sql<boolean>`(created_at, id) < ${place}`,
    )
  }
  const rows = await query
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  return { mails: isBackward ? page.reverse() : page, hasMore: rows.length > limit }
}
