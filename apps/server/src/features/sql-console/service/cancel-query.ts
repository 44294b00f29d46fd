import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlQuery } from '@agency/contract/sql-console'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { notFound } from '../../../platform/errors.ts'
import { createPlaces } from '../places.ts'
import { endQuery, findQuery, type QueryRow } from '../queries/history.ts'
import { endSessionOf } from '../queries/signal.ts'
import { ranFor, shown } from './begin-query.ts'

/** One that has just begun may be about to open its session. */
const lookFor = { times: 8, everyMs: 100 }
/** Cancel may overtake the query: that is parsed before it is written down, the first one with a parser that is not loaded yet. */
const lookForQuery = { times: 25, everyMs: 200 }

async function findOverdue(ctx: RequestContext, id: string): Promise<QueryRow | undefined> {
  for (let time = 0; time < lookForQuery.times; time++) {
    const row = await findQuery(ctx, id)
    if (row) return row
    await sleep(lookForQuery.everyMs)
  }
  return undefined
}

async function getOwn(ctx: RequestContext, id: string): Promise<QueryRow> {
  const row = await findOverdue(ctx, id)
  if (!row || row.actor_type !== ctx.actor.type || row.actor_id !== ctx.actor.id) throw notFound(`Query ${id}`)
  return row
}

/** Ends a query that runs, here or in another process. */
export async function cancelQuery(ctx: RequestContext, id: string): Promise<{ query: SqlQuery }> {
  const row = await getOwn(ctx, id)
  if (row.status === 'processing') {
    const isCancelled = await inTransaction(ctx, async (tx) => {
      const execution_time = ranFor(row, tx.clock())
      if (!(await endQuery(tx, id, { status: 'cancelled', execution_time, error: 'Cancelled' }))) return false
      await recordAudit(tx, { action: 'sql.cancel', resource: 'sql_query', id, after: { query: row.query } })
      return true
    })
    if (isCancelled && !ctx.instance(createPlaces).cancel(id)) await endSoon(ctx, id)
  }
  return { query: shown(await getOwn(ctx, id)) }
}

async function endSoon(ctx: RequestContext, id: string): Promise<void> {
  for (let time = 0; time < lookFor.times; time++) {
    if (await endSessionOf(ctx.pool, id)) return
    await sleep(lookFor.everyMs)
  }
}

/** Nobody waits for the answer any more. */
export async function abandonQuery(ctx: RequestContext, id: string): Promise<void> {
  await cancelQuery(ctx, id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a query was not ended'))
}
