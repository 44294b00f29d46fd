import { sql } from 'kysely'
import type { Settings } from '../../../config.ts'
import type { TransactionContext } from '../../../context.ts'
import { sessionLimits } from '../idle.ts'

/** A shorter limit holds at once, also for those who are signed in. Nobody's session gets longer by it. */
export async function shortenSessions(
  { db, clock }: Pick<TransactionContext, 'db' | 'clock'>,
  settings: Settings,
): Promise<void> {
  const { idleMs, hiddenMs, totalMs } = sessionLimits(settings)
  const later = (ms: number) => sql`${ms}::double precision * interval '1 millisecond'`
  const now = new Date(clock())
  await sql`
    update sessions s set expires_at = least(s.expires_at, l.ends_at), idle_expires_at = least(s.idle_expires_at, l.idle_ends_at)
    from (
      select id, created_at + ${later(totalMs)} as ends_at,
        case when hidden_since is null then last_activity_at + ${later(idleMs)} else hidden_since + ${later(hiddenMs)} end
          as idle_ends_at
      from sessions where revoked_at is null and expires_at > ${now} and idle_expires_at > ${now}
    ) l
    where l.id = s.id and (l.ends_at < s.expires_at or l.idle_ends_at < s.idle_expires_at)
  `.execute(db)
}
