import type { SqlError, SqlQuery } from '@agency/contract/sql-console'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { endQuery, findQuery, insertQuery, type QueryRow } from '../queries/history.ts'

export type Given = { id: string; query: string; parameters: readonly (string | null)[] }
export type Begun = Given & { startedAt: number }

export const shown = (row: QueryRow): SqlQuery => ({
  id: row.id,
  kind: row.kind as SqlQuery['kind'],
  query: row.query,
  parameters: row.parameters as (string | null)[],
  executed_at: row.executed_at.toISOString(),
  execution_time: row.execution_time,
  rows_affected: row.rows_affected,
  status: row.status as SqlQuery['status'],
  error: row.error,
  truncated: row.truncated as SqlQuery['truncated'],
})

/** Whether its answers may hold the personal columns. */
export const seesPersonal = ({ actor }: RequestContext): boolean => actor.permissions.has('customers.read')

/** Writes down what is asked before it is run, so that nothing is read without an entry. */
export async function beginQuery(
  ctx: RequestContext,
  kind: SqlQuery['kind'],
  { id, query, parameters }: Given,
  { refusal, ...more }: { refusal?: string; reason?: string } = {},
): Promise<Begun> {
  if (await findQuery(ctx, id)) throw new AppError('conflict', 'This query id is already used')
  await inTransaction(ctx, async (tx) => {
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
      executed_at: new Date(tx.clock()),
    })
    await recordAudit(tx, {
      ...{ action: refusal === undefined ? actions[kind] : 'sql.refuse', resource: 'sql_query', id },
      ...(refusal !== undefined && { outcome: 'denied' }),
      after: { query, parameters, ...more, ...(refusal !== undefined && { refusal }) },
    })
  })
  return { id, query, parameters, startedAt: performance.now() }
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
    execution_time: Math.round(performance.now() - begun.startedAt),
    rows_affected: ending.rows ?? null,
    truncated: ending.truncated ?? null,
    error: ending.error?.message ?? null,
  })
  const row = ended ?? (await findQuery(ctx, begun.id))
  if (!row) throw new AppError('not_found', 'This query is no longer in the history')
  return shown(row)
}
