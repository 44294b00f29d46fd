import type { SqlError, SqlQuery } from '@agency/contract/sql-console'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { endQuery, findQuery, insertQuery, type QueryRow } from '../queries/history.ts'

export type Given = { id: string; query: string; parameters: readonly (string | null)[] }
/** `startedAt`: when it had its turn, as `performance.now()`; null while it waits for that. */
export type Begun = Given & { startedAt: number | null }

export const shown = (row: QueryRow): SqlQuery => ({
  id: row.id,
  kind: row.kind as SqlQuery['kind'],
  query: row.query,
  parameters: row.parameters as (string | null)[],
  executed_at: row.executed_at.toISOString(),
  began_at: row.began_at?.toISOString() ?? null,
  execution_time: row.execution_time,
  rows_affected: row.rows_affected,
  status: row.status as SqlQuery['status'],
  error: row.error,
  truncated: row.truncated as SqlQuery['truncated'],
})

/** For how long it ran until `now`, in milliseconds; its waiting for its turn is none of it. */
export const ranFor = ({ began_at }: Pick<QueryRow, 'began_at'>, now: number): number =>
  began_at === null ? 0 : Math.max(0, now - began_at.getTime())

/** Whether its answers may hold the personal columns. */
export const seesPersonal = ({ actor }: RequestContext): boolean => actor.permissions.has('customers.read')

type More = { refusal?: string; reason?: string; mustWait?: boolean }

/** Writes down what is asked before it is run, so that nothing is read without an entry. */
export async function beginQuery(
  ctx: RequestContext,
  kind: SqlQuery['kind'],
  { id, query, parameters }: Given,
  { refusal, mustWait = false, ...more }: More = {},
): Promise<Begun> {
  if (await findQuery(ctx, id)) throw new AppError('conflict', 'This query id is already used')
  const isRefused = refusal !== undefined
  await inTransaction(ctx, async (tx) => {
    const now = new Date(tx.clock())
    await insertQuery(tx, {
      ...{
        id,
        kind,
        query,
        parameters: JSON.stringify(parameters),
        sees_personal: seesPersonal(ctx),
        status: 'processing',
      },
      ...{ actor_type: tx.actor.type, actor_id: tx.actor.id, actor_name: tx.actor.name },
      ...{ executed_at: now, began_at: isRefused || mustWait ? null : now },
    })
    await recordAudit(tx, {
      ...{ action: isRefused ? 'sql.refuse' : actions[kind], resource: 'sql_query', id },
      ...(isRefused && { outcome: 'denied' }),
      after: { query, parameters, ...more, ...(isRefused && { refusal }) },
    })
  })
  return { id, query, parameters, startedAt: mustWait ? null : performance.now() }
}

const actions: Record<SqlQuery['kind'], string> = {
  read: 'sql.execute',
  explain: 'sql.explain',
  write: 'sql.write',
}

export type Ending = {
  status: 'success' | 'error'
  rows?: number
  truncated?: SqlQuery['truncated']
  error?: SqlError | null
}

/** Whoever was first to end it has the last word: one that was cancelled stays so. */
export async function finishQuery(ctx: RequestContext, begun: Begun, ending: Ending): Promise<SqlQuery> {
  const ended = await endQuery(ctx, begun.id, {
    status: ending.status,
    execution_time: begun.startedAt === null ? 0 : Math.round(performance.now() - begun.startedAt),
    rows_affected: ending.rows ?? null,
    truncated: ending.truncated ?? null,
    error: ending.error?.message ?? null,
  })
  const row = ended ?? (await findQuery(ctx, begun.id))
  if (!row) throw new AppError('not_found', 'This query is no longer in the history')
  return shown(row)
}
