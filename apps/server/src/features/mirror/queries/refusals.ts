import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>
export type RefusalReason = 'signature' | 'livemode'

/** What was longer ago than this is another story. */
const togetherHours = 6

export async function saveRefusal(db: Db, reason: RefusalReason, at: Date): Promise<void> {
  await sql`
    insert into webhook_refusals as r (reason, first_at, last_at) values (${reason}, ${at}, ${at})
    on conflict (reason) do update set last_at = excluded.last_at, first_at =
      case when r.last_at < excluded.last_at - make_interval(hours => ${togetherHours}) then excluded.last_at else r.first_at end
  `.execute(db)
}

/** A good delivery came: whatever was wrong is not any more. */
export async function deleteRefusals(db: Db): Promise<void> {
  await db.deleteFrom('webhook_refusals').execute()
}

/** Those since the last good delivery that are not long ago, the worst first. */
export async function findRefusals(db: Db, now: Date): Promise<{ reason: RefusalReason; firstAt: Date }[]> {
  const rows = await db
    .selectFrom('webhook_refusals')
    .select(['reason', 'first_at'])
    .where('last_at', '>', new Date(now.getTime() - togetherHours * 3_600_000))
    .orderBy('reason', 'desc')
    .execute()
  return rows.map(({ reason, first_at }) => ({ reason: reason as RefusalReason, firstAt: first_at }))
}
