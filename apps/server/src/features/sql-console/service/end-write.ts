import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlWrite } from '@agency/contract/sql-console'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { createOpenWrites, type Outcome, undecided, wantedOf } from '../open-writes.ts'
import { findPendingOf, findWrite, patchPending, type WriteRow } from '../queries/writes.ts'

/** So long another process is waited for. */
const patience = { times: 50, everyMs: 100 }

type Samples = (string | null)[][]

const shown = (row: WriteRow): SqlWrite => ({
  ...{
    id: row.id,
    query: row.query,
    reason: row.reason,
    table: row.table_name,
    affected: row.affected,
    note: row.note,
  },
  verb: row.verb as SqlWrite['verb'],
  state: row.state as SqlWrite['state'],
  columns: row.columns as string[],
  before: row.before as Samples,
  after: row.after as Samples,
  started_at: row.started_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

async function getOwn(ctx: RequestContext, id: string): Promise<WriteRow> {
  const row = await findWrite(ctx, id)
  if (!row || row.actor_type !== ctx.actor.type || row.actor_id !== ctx.actor.id) throw notFound(`Change ${id}`)
  return row
}

export const getWrite = async (ctx: RequestContext, id: string): Promise<SqlWrite> => shown(await getOwn(ctx, id))

export const listWrites = async (ctx: RequestContext): Promise<{ writes: SqlWrite[] }> => ({
  writes: (await findPendingOf(ctx)).map(shown),
})

const states = { commit: 'committed', roll_back: 'rolled_back' } as const
const words = { commit: 'This change was already committed', roll_back: 'This change was already rolled back' } as const

/** Ends the change in the process that holds its transaction, wherever that is. */
export async function endWrite(ctx: RequestContext, id: string, outcome: Outcome): Promise<{ write: SqlWrite }> {
  const row = await getOwn(ctx, id)
  if (row.state === 'pending') {
    // The timer of its process may be late.
    const isLate = row.expires_at.getTime() <= ctx.clock()
    const [wanted, note] = isLate ? (['roll_back', undecided] as const) : ([outcome, null] as const)
    const isHere = await ctx.instance(createOpenWrites).end(id, wanted, ctx, note)
    if (!isHere) await askOthers(ctx, id, wanted)
  }
  const write = await getWrite(ctx, id)
  if (write.state === states[outcome]) return { write }
  if (write.state === 'pending')
    throw new AppError(
      'unavailable',
      'The console process with this change does not respond. The change rolls back automatically.',
    )
  throw new AppError('conflict', write.note ?? words[write.state === 'committed' ? 'commit' : 'roll_back'])
}

async function askOthers(ctx: RequestContext, id: string, outcome: Outcome): Promise<void> {
  await patchPending(ctx, id, { wanted: wantedOf(outcome, ctx) })
  for (let time = 0; time < patience.times; time++) {
    if ((await findWrite(ctx, id))?.state !== 'pending') return
    await sleep(patience.everyMs)
  }
}
