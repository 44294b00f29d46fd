import { sql } from 'kysely'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { forgetAfterMs, lockSecondsOf } from '../lockout.ts'
import type { Subject } from '../subjects.ts'

type Db = Pick<AppContext, 'db' | 'clock'>

export type CountedTry = { failures: number; lockedUntil: Date | null }

/**
 * Counts a try as failed before the key is looked at, so that a hundred at the same moment are not a hundred guesses.
 * Answers nothing when the subject is locked.
 */
export async function countTry({ db, clock }: Db, { rule, subject, userId }: Subject): Promise<CountedTry | undefined> {
  const now = new Date(clock())
  const forgotten = new Date(clock() - forgetAfterMs)
  const lockSeconds = lockSecondsOf[rule]
  const steps = sql`${[...lockSeconds]}::int[]`
  const { rows } = await sql<{ failures: number; locked_until: Date | null }>`
    insert into sign_in_lockouts as l (subject, kind, user_id, failures, first_failure_at, last_failure_at)
    values (${subject}, ${rule === 'account' ? 'account' : 'address'}, ${userId}, 1, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (subject) do update set
      failures = case when l.last_failure_at <= ${forgotten}::timestamptz then 1 else l.failures + 1 end,
      user_id = excluded.user_id,
      first_failure_at = case when l.last_failure_at <= ${forgotten}::timestamptz then ${now}::timestamptz else l.first_failure_at end,
      last_failure_at = ${now}::timestamptz,
      locked_until = case when l.last_failure_at <= ${forgotten}::timestamptz then null else
        ${now}::timestamptz + nullif((${steps})[least(l.failures + 1, ${lockSeconds.length}::int)], 0) * interval '1 second' end
    where l.locked_until is null or l.locked_until <= ${now}::timestamptz
    returning failures, locked_until
  `.execute(db)
  const row = rows[0]
  return row && { failures: row.failures, lockedUntil: row.locked_until }
}

/** The lock that lasts longest. */
export async function findLock(
  { db, clock }: Db,
  subjects: readonly string[],
): Promise<{ subject: string; until: Date } | undefined> {
  const row = await db
    .selectFrom('sign_in_lockouts')
    .select(['subject', 'locked_until'])
    .where('subject', 'in', subjects)
    .where('locked_until', '>', new Date(clock()))
    .orderBy('locked_until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.locked_until ? { subject: row.subject, until: row.locked_until } : undefined
}

/** Answers how many they were. */
export async function forgetTries({ db }: Pick<AppContext, 'db'>, subject: string): Promise<number> {
  const row = await db
    .deleteFrom('sign_in_lockouts')
    .where('subject', '=', subject)
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? 0
}

/** They were counted as failed when they began, and the last of them may have locked its subject. */
export async function takeBackTries(
  { db }: Pick<AppContext, 'db'>,
  { subject, lockedUntil }: Subject & CountedTry,
  tries: number,
): Promise<void> {
  await db.deleteFrom('sign_in_lockouts').where('subject', '=', subject).where('failures', '<=', tries).execute()
  await sql`
    update sign_in_lockouts set failures = failures - ${tries},
      locked_until = case when locked_until = ${lockedUntil} then null else locked_until end
    where subject = ${subject}`.execute(db)
}

/** Whatever locks somebody's account or second factor; not the addresses that the tries came from. */
export async function forgetTriesAt({ db }: Pick<AppContext, 'db'>, userId: string): Promise<void> {
  await db.deleteFrom('sign_in_lockouts').where('kind', '=', 'account').where('user_id', '=', userId).execute()
}

/** At most `limit`, which is all that anybody wants to know. */
export async function countRecentTries({ db, clock }: Db, address: string, limit: number): Promise<number> {
  const { rows } = await sql<{ tries: number }>`
    select count(*) as tries from (
      select from sign_in_attempts where address = ${address} and at > ${new Date(clock() - 60_000)} limit ${limit}
    ) recent
  `.execute(db)
  return rows[0]?.tries ?? 0
}

export async function insertAttempt(
  tx: TransactionContext,
  attempt: { address: string; method: string; succeeded: boolean; user_id: string | null; reason: string | null },
): Promise<void> {
  await tx.db
    .insertInto('sign_in_attempts')
    .values({ ...attempt, at: new Date(tx.clock()), user_agent: tx.userAgent })
    .execute()
}

export async function deleteTriesBefore(tx: TransactionContext, before: Date): Promise<void> {
  await tx.db.deleteFrom('sign_in_attempts').where('at', '<', before).execute()
  await tx.db.deleteFrom('sign_in_lockouts').where('last_failure_at', '<', before).execute()
}
