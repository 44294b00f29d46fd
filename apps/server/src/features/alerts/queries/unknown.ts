import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { averagedOverMs, fewestMinutes, freshMs } from './console-conditions.ts'

/**
 * The alerts that stand whose subject is not known at the moment, and those that stand for one of them: what is not seen
 * is not over. A site that was deleted or taken offline is known to be so.
 */
export async function findUnknown({ db }: Pick<AppContext, 'db'>, now: number): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with unknown as (
      select a.id, a.cause_id from alerts a
      where a.status <> 'resolved' and case
        when a.rule in ('site.down', 'site.degraded') then exists (
          select from sites s where s.id = a.subject_id and s.health_status = 'unknown' and s.deleted_at is null
            and s.at_provider in ('served', 'resuming', 'still_served')
        )
        when a.subject = 'service' then exists (
          select from monitored_services m where m.key = a.subject_id
            and (m.status = 'unknown' or m.checked_at is null or m.checked_at <= ${new Date(now - freshMs)})
        )
        when a.subject = 'metric' then (
          select count(*) from metric_minutes m
          where m.metric = a.subject_id and m.minute > ${new Date(now - averagedOverMs)}
        ) < ${fewestMinutes}
        else false end
    )
    select id from unknown union select cause_id from unknown where cause_id is not null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
