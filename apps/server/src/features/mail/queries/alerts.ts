import { sql } from 'kysely'
import type { TransactionContext } from '../../../context.ts'

export const alertKind = 'alert'

/** One process at a time looks for what is to be told. */
export async function lockAlerts({ db }: TransactionContext): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('alert mails', 0))`.execute(db)
}

export type Alert = { id: string; title: string; body: string | null; link: string | null }

/** Serious notifications, and that such an alert is over, that nobody was written to about, from the moment on at which the recipients were set. */
export async function findUntold({ db }: TransactionContext, since: Date): Promise<Alert[]> {
  return db
    .selectFrom('notifications as n')
    .select(['n.id', 'n.title', 'n.body', 'n.link'])
    .where((row) => row.or([row('n.severity', '=', 'error'), row('n.type', '=', 'alert.resolved')]))
    .where('n.created_at', '>=', since)
    .where('n.created_at', '>=', (row) =>
      row
        .selectFrom('settings')
        .select('updated_at')
        .where('key', '=', 'alerts.recipients')
        .$castTo<{ updated_at: Date }>(),
    )
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('mails')
            .select('mails.id')
            .where('mails.kind', '=', (mail) => mail.fn<string>('concat', [sql.lit(`${alertKind}:`), 'n.id'])),
        ),
      ),
    )
    .orderBy('n.created_at')
    .limit(50)
    .execute()
}
