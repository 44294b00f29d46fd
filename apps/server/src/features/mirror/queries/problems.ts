import type { Kysely } from 'kysely'
import type { DB } from '../../../db/types.ts'

type Db = Kysely<DB>
const provider = 'stripe'

export async function upsertProblem(
  db: Db,
  problem: { kind: string; message: string; at: Date; retryAt: Date | null },
): Promise<void> {
  await db
    .insertInto('provider_problems')
    .values({
      provider,
      kind: problem.kind,
      message: problem.message,
      since: problem.at,
      last_at: problem.at,
      retry_at: problem.retryAt,
    })
    .onConflict((conflict) =>
      conflict.column('provider').doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        message: eb.ref('excluded.message'),
        last_at: eb.ref('excluded.last_at'),
        retry_at: eb.ref('excluded.retry_at'),
      })),
    )
    .execute()
}

/** Answers whether there was one. */
export async function deleteProblem(db: Db): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('provider_problems')
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export function findProblem(db: Db): Promise<{ kind: string; message: string; since: Date } | undefined> {
  return db
    .selectFrom('provider_problems')
    .select(['kind', 'message', 'since'])
    .where('provider', '=', provider)
    .executeTakeFirst()
}
