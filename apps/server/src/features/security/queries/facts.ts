import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'

type Db = Pick<AppContext, 'db'>

/** API keys that are neither revoked nor expired, by name. */
export const findLiveApiKeys = ({ db }: Db, now: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'created_at', 'created_by', 'last_used_at', 'expires_at'])
    .where('revoked_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .orderBy('name')
    .execute()

/** When the console last made a webhook endpoint of its own; null: it has none. */
export async function findWebhookSince({ db }: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('instance_settings')
    .select('updated_at')
    .where('key', '=', 'mirror.webhook')
    .executeTakeFirst()
  return row?.updated_at ?? null
}

export async function countMails({ db }: Db, since: Date): Promise<{ sent: number; failed: number }> {
  const { rows } = await sql<{ sent: number; failed: number }>`
    select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed
    from mails where created_at >= ${since}
  `.execute(db)
  return rows[0] ?? { sent: 0, failed: 0 }
}

/** The newest verification of the audit log that came to an end. */
export const findLastVerification = ({ db }: Db) =>
  db
    .selectFrom('audit_verifications')
    .select(['state', 'finished_at', 'finding'])
    .where('state', 'in', ['intact', 'broken', 'no_anchor'])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function countWrongSignIns({ db }: Db, since: Date, now: Date) {
  const { rows } = await sql<{ failed: number; addresses: number; locked: number }>`
    select count(*) as failed, count(distinct address) as addresses,
      (select count(*) from sign_in_lockouts where locked_until > ${now}) as locked
    from sign_in_attempts where at >= ${since} and not succeeded
  `.execute(db)
  return rows[0] ?? { failed: 0, addresses: 0, locked: 0 }
}
