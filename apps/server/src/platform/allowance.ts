import type { AppContext } from '../context.ts'
import { runStatement } from './statements.ts'

export type Permit = { isAllowed: true } | { isAllowed: false; isBlocked: boolean; retryAfter: number }

/** What may be asked of one account at a provider, shared by all work and all processes on the database. */
export type Allowance<Scope extends string> = {
  /** `share`: how much of it this kind of work may use up. */
  take(scope: Scope, share: number): Promise<Permit>
  /** The provider said to wait: until then nothing is sent. */
  block(scope: Scope, seconds: number): Promise<void>
}

/** The time in which calls are counted. */
export const windowSeconds = 300

/** For whatever has no database: nothing is counted, and nobody waits. */
export const unlimited: Allowance<string> = { take: async () => ({ isAllowed: true }), block: async () => {} }

/** `connection` names the account. `mostOf`: how many calls fit into the window; null where none are counted. */
export function createAllowance<Scope extends string>(
  { pool, clock }: Pick<AppContext, 'pool' | 'clock'>,
  connection: string,
  mostOf: Readonly<Record<Scope, number | null>>,
): Allowance<Scope> {
  return {
    async take(scope, share) {
      const most = mostOf[scope] === null ? null : Math.floor(mostOf[scope] * share)
      const [taken] = await runStatement<{ allowed: boolean; is_blocked: boolean; retry_after: number | null }>(pool, {
        text: 'select * from take_provider_call($1, $2, $3, $4)',
        values: [connection, scope, new Date(clock()), most],
        prepare: true,
      })
      if (taken?.allowed) return { isAllowed: true }
      return { isAllowed: false, isBlocked: taken?.is_blocked ?? false, retryAfter: taken?.retry_after ?? 1 }
    },
    async block(scope, seconds) {
      await runStatement(pool, {
        text: `insert into provider_blocks values ($1, $2, $3)
          on conflict (connection, scope) do update set until = greatest(provider_blocks.until, excluded.until)`,
        values: [connection, scope, new Date(clock() + seconds * 1000)],
      })
    },
  }
}
