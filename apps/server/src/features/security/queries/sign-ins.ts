import type { signInAttempt } from '@agency/contract/security'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { AppContext, TransactionContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { type PageQuery, readPage } from '../../../platform/keyset.ts'
import { Values } from '../../../platform/statements.ts'

type Attempt = z.output<typeof signInAttempt>
export type AttemptRow = Omit<Attempt, 'device'> & { user_agent: string | null }

export async function findAttempts(
  pool: Pool,
  succeeded: boolean | undefined,
  page: PageQuery,
): Promise<{ attempts: AttemptRow[]; has_more: boolean }> {
  for (const parameter of ['starting_after', 'ending_before'] as const)
    if (!/^\d{1,18}$/.test(page[parameter] ?? '0'))
      throw invalidParameter(parameter, 'must be the id of an object of this list')
  const list = {
    table: 'sign_in_attempts',
    alias: 'a',
    order: { from: 'sign_in_attempts a', key: 'a.id', id: 'a.id', isWhole: true },
    isDescending: true,
    where: succeeded === undefined ? [] : [succeeded ? 'a.succeeded' : 'not a.succeeded'],
    columns: `a.id::text as id, iso_utc(a.at) as at, a.method, a.succeeded, u.email as account, a.reason, a.address,
      a.user_agent`,
    joins: 'left join users u on u.id = a.user_id',
    total: null,
    values: new Values(),
    isPrepared: true,
  }
  return JSON.parse(await readPage(pool, 'attempts', list, page))
}

const shownLocks = 200

/** Wrong tries since a time: the locked first, then the newest. */
export const findLocks = ({ db, clock }: Pick<AppContext, 'db' | 'clock'>, since: Date) =>
  db
    .selectFrom('sign_in_lockouts as l')
    .leftJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.subject', 'l.failures', 'l.last_failure_at', 'l.locked_until', 'u.email'])
    .select((row) => row.ref('l.kind').$castTo<'address' | 'account'>().as('kind'))
    .where('l.last_failure_at', '>', since)
    // What is counted for all of an address tells nothing new before it locks.
    .where((row) =>
      row.or([row('l.locked_until', '>', new Date(clock())), row('l.subject', '!~', ' (at all|as proxy)$')]),
    )
    .orderBy(
      (row) => row('l.locked_until', '>', new Date(clock())),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('l.last_failure_at', 'desc')
    .orderBy('l.subject')
    .limit(shownLocks)
    .execute()

export const findLock = ({ db }: TransactionContext, subject: string) =>
  db
    .selectFrom('sign_in_lockouts')
    .select(['subject', 'kind', 'user_id', 'failures', 'locked_until'])
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()

/** When the admin key was last given right; sign-ins are kept for a while only. */
export async function findAdminKeyUse({ db }: Pick<AppContext, 'db'>): Promise<Date | null> {
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('at')
    .where('succeeded', '=', true)
    .where('method', 'in', ['login', 'api'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}
