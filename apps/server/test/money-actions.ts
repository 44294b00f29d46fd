import { sql } from 'kysely'
import type { AppContext } from '../src/context.ts'

/** Money actions, how often each was tried, and when the run that finds out about it tries again. */
export const withRuns = ({ db }: Pick<AppContext, 'db'>) =>
  db
    .selectFrom('money_actions')
    .selectAll()
    .select([
      sql<Date | null>`(select r.next_try_at from runs r where r.subject = money_actions.id and r.state in ('waiting', 'running'))`.as(
        'next_try_at',
      ),
      sql<number>`(money_actions.sent_at is not null)::int + coalesce((select sum(s.attempts) from run_steps s
        join runs r on r.id = s.run_id where r.subject = money_actions.id and s.name = 'settle'), 0)::int`.as(
        'attempts',
      ),
    ])
