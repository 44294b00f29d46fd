import type { sqlConsole } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import { type SqlError, type SqlQuery, type SqlWrite, sqlLimits } from '@agency/contract/sql-console'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { invalidParameter } from '../../../platform/errors.ts'
import { confirmIdentity } from '../../auth/index.ts'
import { explainFailure } from '../explain-failure.ts'
import { type Change, checkChange } from '../guard/check-query.ts'
import { Refused } from '../guard/refused.ts'
import { createOpenWrites } from '../open-writes.ts'
import type { Cells } from '../queries/read-result.ts'
import { findWritable, type WritableTable } from '../queries/schema.ts'
import { openSession, type Session } from '../queries/session.ts'
import { type Changed, findUnchanged, makeChange, wrappedLength } from '../queries/write-session.ts'
import { insertWrite } from '../queries/writes.ts'
import { createRoles } from '../reader-roles.ts'
import { supervise } from '../supervise.ts'
import { createViewNames } from '../view-names.ts'
import { type Begun, beginQuery, finishQuery } from './begin-query.ts'
import { getWrite } from './end-write.ts'

type Given = BodyOf<typeof sqlConsole.startWrite>
type Answer = { write: SqlWrite | null; query: SqlQuery; error: SqlError | null }
type Checked = { change: Change; table: WritableTable; writer: string }

/** Makes one change in a transaction of its own, shows what it does, and keeps nothing of it yet. */
export async function startWrite(ctx: RequestContext, given: Given): Promise<Answer> {
  const checked = await check(ctx, given).catch((error: unknown) => {
    if (error instanceof Refused) return error
    throw error
  })
  if (checked instanceof Refused) {
    const begun = await beginQuery(ctx, 'write', given, { refusal: checked.message, reason: given.reason })
    const error = { message: checked.message, hint: null, position: checked.position }
    return { write: null, query: await finishQuery(ctx, begun, { status: 'error', error }), error }
  }
  if (checked.change.changesAll && !given.all_rows)
    throw invalidParameter(
      'all_rows',
      `must be confirmed: without WHERE this changes every row of ${checked.change.table}`,
    )
  await confirmIdentity(ctx, given.identity_proof)
  const begun = await beginQuery(ctx, 'write', given, { reason: given.reason })
  return carryOut(ctx, given, begun, checked)
}

async function check(ctx: RequestContext, { query }: Given): Promise<Checked> {
  const { names } = await ctx.instance(createRoles)()
  const tables = await findWritable(ctx.pool, names.writer)
  const views = await ctx.instance(createViewNames)()
  const change = await checkChange(query, new Set(tables.map(({ name }) => name)), views)
  const table = tables.find(({ name }) => name === change.table)
  if (!table) throw new Refused(`${change.table} is read-only here`, null)
  const moved = change.verb === 'update' ? change.sets.find((column) => table.key.includes(column)) : undefined
  if (moved !== undefined) throw new Refused(`${moved} is the key of ${change.table} and cannot be changed`, null)
  return { change, table, writer: names.writer }
}

async function carryOut(ctx: RequestContext, given: Given, begun: Begun, checked: Checked): Promise<Answer> {
  let session: Session | undefined
  let watched: ReturnType<typeof supervise> | undefined
  try {
    session = await openSession(ctx.pool, begun.id)
    watched = supervise(ctx, begun.id, session, { seconds: sqlLimits.seconds, isConfined: false })
    const { change, table, writer } = checked
    const changed = await makeChange(
      session,
      { text: change.text, alias: change.alias, values: given.parameters },
      { table, writer, seconds: sqlLimits.writeSeconds, rows: sqlLimits.sampleRows },
    )
    watched.stop()
    await writeDown(ctx, given, checked, changed)
    ctx.instance(createOpenWrites).hold(begun.id, session)
    const query = await finishQuery(ctx, begun, { status: 'success', rows: changed.affected })
    return { write: await getWrite(ctx, begun.id), query, error: null }
  } catch (failure) {
    const error = explainFailure(failure, {
      ...{ reason: watched?.reason() ?? null, isFlooded: session?.isFlooded() ?? false, before: wrappedLength },
      offset: checked.change.offset,
    })
    watched?.stop()
    await session?.close()
    const query = await finishQuery(ctx, begun, {
      status: 'error',
      error: error ?? { message: 'The change could not be made', hint: null, position: null },
    })
    if (!error) throw failure
    return { write: null, query, error }
  }
}

/** Of what is deleted there is only before, of what is new only after. */
async function writeDown(
  ctx: RequestContext,
  given: Given,
  { change, table }: Checked,
  { affected, rows }: Changed,
): Promise<void> {
  const none: readonly Cells[] = []
  const before = change.verb === 'update' ? await findUnchanged(ctx.pool, table, rows) : none
  const now = ctx.clock()
  await inTransaction(ctx, (tx) =>
    insertWrite(tx, {
      ...{
        id: given.id,
        reason: given.reason,
        verb: change.verb,
        table_name: change.table,
        state: 'pending',
        affected,
      },
      columns: JSON.stringify(table.columns),
      before: JSON.stringify(change.verb === 'delete' ? rows : before),
      after: JSON.stringify(change.verb === 'delete' ? none : rows),
      started_at: new Date(now),
      expires_at: new Date(now + sqlLimits.writeSeconds * 1000),
    }),
  )
}
