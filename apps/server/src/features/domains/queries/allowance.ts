import type { AppContext } from '../../../context.ts'
import { type AllowanceScope, mostCalls } from '../../../integrations/cloudflare/allowance.ts'
import { runStatement } from '../../../platform/statements.ts'

type Where = Pick<AppContext, 'pool' | 'clock'>

export type Used = { used: number; limit: number; blocked_until: string | null }

/** What is used up by now. */
export async function findAllowance({ pool, clock }: Where, connection: string): Promise<Record<AllowanceScope, Used>> {
  const rows = await runStatement<{ scope: AllowanceScope; used: number; blocked_until: string | null }>(pool, {
    text: `select scope, coalesce((
        select sum(used) from provider_calls c
        where c.connection = $1 and c.scope = s.scope and c.slot >= floor(extract(epoch from $2::timestamptz) / 5) - 60
      ), 0)::int as used, (
        select iso_utc(until) from provider_blocks b where b.connection = $1 and b.scope = s.scope and b.until > $2
      ) as blocked_until
      from (values ('rest'), ('graphql')) s (scope)`,
    values: [connection, new Date(clock())],
    prepare: true,
  })
  const of = (scope: AllowanceScope): Used => {
    const row = rows.find((one) => one.scope === scope)
    return { used: row?.used ?? 0, limit: mostCalls[scope], blocked_until: row?.blocked_until ?? null }
  }
  return { rest: of('rest'), graphql: of('graphql') }
}
