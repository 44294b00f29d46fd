import { randomUUID } from 'node:crypto'
import { type SqlColumn, sqlLimits } from '@agency/contract/sql-console'
import type { RequestContext } from '../../context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { type Column, defineExport } from '../../platform/export-kind.ts'
import { explainFailure } from './explain-failure.ts'
import { checkQuery } from './guard/check-query.ts'
import { findQuery, type QueryRow } from './queries/history.ts'
import { type Cells, declaredLength, readResult } from './queries/read-result.ts'
import { openSession } from './queries/session.ts'
import { createRoles } from './reader-roles.ts'
import { supervise } from './supervise.ts'
import { createViewNames } from './view-names.ts'

const patienceSeconds = 80

/** The result of a query from one's own history, run anew: more of it than a screen shows, and with the same masks. */
export const sqlResultExport = defineExport({
  kind: 'sql_result',
  permission: 'admin.system',
  title: 'SQL result',
  fileName: 'sql-result',
  columns: [],
  rows: () => none(),
  subject: async (ctx, { query_id }) => subjectOf(await getExportable(ctx, query_id)),
  open: async (ctx, { query_id }) => {
    const row = await findQuery(ctx, query_id)
    if (!row) throw new AppError('conflict', 'The query is no longer in the history')
    return openRows(ctx, row)
  },
})

async function* none(): AsyncGenerator<never[]> {}

async function getExportable(ctx: RequestContext, id: string): Promise<QueryRow> {
  const row = await findQuery(ctx, id)
  if (!row || row.actor_type !== ctx.actor.type || row.actor_id !== ctx.actor.id) throw notFound(`Query ${id}`)
  if (row.kind !== 'read' || row.status !== 'success')
    throw new AppError('conflict', 'Only successful queries can be exported')
  if (row.sees_personal && !ctx.actor.permissions.has('customers.read'))
    throw new AppError('forbidden', 'This needs the permission customers.read', { permission: 'customers.read' })
  return row
}

/** The first words of it, for the list of exports. */
const subjectOf = ({ query }: QueryRow): string => query.replaceAll(/\s+/g, ' ').trim().slice(0, 60)

async function openRows(ctx: RequestContext, row: QueryRow) {
  const id = randomUUID().replaceAll('-', '')
  const { names, passwordOf } = await ctx.instance(createRoles)()
  const { text, offset } = await checkQuery(row.query, await ctx.instance(createViewNames)())
  const name = row.sees_personal ? names.reader : names.masked
  const session = await openSession(ctx.pool, id, { name, password: passwordOf(name) })
  const watched = supervise(ctx, id, session, { seconds: patienceSeconds, isConfined: true })
  const close = async () => {
    watched.stop()
    await session.close()
  }
  const tell = (failure: unknown): unknown => {
    const { message } =
      explainFailure(failure, {
        ...{ reason: watched.reason(), isFlooded: session.isFlooded(), before: declaredLength, offset },
      }) ?? {}
    return message === undefined ? failure : new AppError('conflict', message)
  }
  const result = readResult(session, { text, values: row.parameters as (string | null)[] })
  const first = await result.next().catch(async (failure: unknown) => {
    await close()
    throw tell(failure)
  })
  let isCut = false

  async function* rows(): AsyncGenerator<readonly Cells[]> {
    let left = sqlLimits.exportRows
    try {
      for (let batch = first; !batch.done; batch = await result.next()) {
        yield batch.value.rows.slice(0, left)
        isCut = batch.value.rows.length > left
        left -= batch.value.rows.length
        if (left < 0) return
      }
    } catch (failure) {
      throw tell(failure)
    } finally {
      await close()
    }
  }

  return { columns: exportColumns(first.done ? [] : first.value.columns), rows: rows(), isCut: () => isCut }
}

/** As PostgreSQL writes them; numbers are numbers where no digit is lost by it. */
function exportColumns(columns: readonly SqlColumn[]): Column<Cells>[] {
  const seen = new Map<string, number>()
  return columns.map(({ name, type }, index) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    const title = times === 1 ? name : `${name} (${times})`
    const at = (cells: Cells) => cells[index] ?? null
    if (type === 'boolean')
      return { title, name: title, type: 'yes_no', value: (cells) => (at(cells) === null ? null : at(cells) === 't') }
    if (type === 'number')
      return { title, name: title, type: 'number', value: (cells) => numberOf(at(cells)) as number }
    return { title, name: title, type: 'text', value: at }
  })
}

/** What a number of JavaScript would round stays text. */
function numberOf(text: string | null): number | string | null {
  if (text === null) return null
  const value = Number(text)
  return Number.isFinite(value) && text.replaceAll(/[-.]/g, '').length <= 15 ? value : text
}
