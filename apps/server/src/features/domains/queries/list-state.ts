import type { AppContext } from '../../../context.ts'
import { runStatement } from '../../../platform/statements.ts'

type Where = Pick<AppContext, 'pool' | 'clock'>

export type ListState = {
  fetched_at: string | null
  failed_at: string | null
  failure: string | null
  refreshing: boolean
}

const unknown: ListState = { fetched_at: null, failed_at: null, failure: null, refreshing: false }

export async function findListState({ pool, clock }: Where, connection: string): Promise<ListState> {
  const [state] = await runStatement<ListState>(pool, {
    text: `select iso_utc(fetched_at) as fetched_at, iso_utc(failed_at) as failed_at, failure,
        coalesce(refreshing_until > $2, false) as refreshing
      from domain_lists where connection = $1`,
    values: [connection, new Date(clock())],
    prepare: true,
  })
  return state ?? unknown
}

/** One refresh at a time, over all processes; a dead one's place is free after `leaseMs`. */
export async function claimRefresh({ pool, clock }: Where, connection: string, leaseMs: number): Promise<boolean> {
  const claimed = await runStatement(pool, {
    text: `insert into domain_lists (connection, refreshing_until) values ($1, $3)
      on conflict (connection) do update set refreshing_until = excluded.refreshing_until
      where coalesce(domain_lists.refreshing_until, '-infinity') <= $2
      returning connection`,
    values: [connection, new Date(clock()), new Date(clock() + leaseMs)],
  })
  return claimed.length > 0
}

export async function noteFailure({ pool, clock }: Where, connection: string, failure: string): Promise<void> {
  await runStatement(pool, {
    text: `update domain_lists set failed_at = $2, failure = $3, refreshing_until = null where connection = $1`,
    values: [connection, new Date(clock()), failure],
  })
}
