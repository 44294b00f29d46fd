import type { AppContext } from '../../../context.ts'
import type { Allowance, AllowanceScope, Permit } from '../../../integrations/cloudflare/allowance.ts'
import { runStatement } from '../../../platform/statements.ts'

/** Half of what Cloudflare takes of a token, which is shared with its dashboard; and all of its analytics queries. */
const mostOf: Record<AllowanceScope, number> = { rest: 600, graphql: 300 }
export const windowSeconds = 300

type Where = Pick<AppContext, 'pool' | 'clock'>

/** Counted in the database, so that all processes share it. */
export function createAllowance({ pool, clock }: Where, connection: string): Allowance {
  return {
    async take(scope, share): Promise<Permit> {
      const most = Math.floor(mostOf[scope] * share)
      const [taken] = await runStatement<{ allowed: boolean; is_blocked: boolean; retry_after: number | null }>(pool, {
        text: 'select * from take_cloudflare_call($1, $2, $3, $4)',
        values: [connection, scope, new Date(clock()), most],
        prepare: true,
      })
      if (taken?.allowed) return { isAllowed: true }
      return { isAllowed: false, isBlocked: taken?.is_blocked ?? false, retryAfter: taken?.retry_after ?? 1 }
    },
    async block(scope, seconds) {
      await runStatement(pool, {
        text: `insert into cloudflare_blocks values ($1, $2, $3)
          on conflict (connection, scope) do update set until = greatest(cloudflare_blocks.until, excluded.until)`,
        values: [connection, scope, new Date(clock() + seconds * 1000)],
      })
    },
  }
}

export type Used = { used: number; limit: number; blocked_until: string | null }

/** What is used up by now. */
export async function findAllowance({ pool, clock }: Where, connection: string): Promise<Record<AllowanceScope, Used>> {
  const rows = await runStatement<{ scope: AllowanceScope; used: number; blocked_until: string | null }>(pool, {
    text: `select scope, coalesce((
        select sum(used) from cloudflare_calls c
        where c.connection = $1 and c.scope = s.scope and c.slot >= floor(extract(epoch from $2::timestamptz) / 5) - 60
      ), 0)::int as used, (
        select iso_utc(until) from cloudflare_blocks b where b.connection = $1 and b.scope = s.scope and b.until > $2
      ) as blocked_until
      from (values ('rest'), ('graphql')) s (scope)`,
    values: [connection, new Date(clock())],
    prepare: true,
  })
  const of = (scope: AllowanceScope): Used => {
    const row = rows.find((one) => one.scope === scope)
    return { used: row?.used ?? 0, limit: mostOf[scope], blocked_until: row?.blocked_until ?? null }
  }
  return { rest: of('rest'), graphql: of('graphql') }
}
