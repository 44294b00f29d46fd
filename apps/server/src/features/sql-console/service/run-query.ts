import { type SqlColumn, type SqlResult, sqlLimits } from '@agency/contract/sql-console'
import type { RequestContext } from '../../../context.ts'
import { cancelled, explainFailure } from '../explain-failure.ts'
import { checkQuery } from '../guard/check-query.ts'
import type { Statement } from '../guard/parse.ts'
import { Refused } from '../guard/refused.ts'
import { createPlaces, type Place } from '../places.ts'
import { findQuery, noteTurn } from '../queries/history.ts'
import { type Cells, declaredLength, explain, explainedLength, readResult } from '../queries/read-result.ts'
import { openSession, type Session } from '../queries/session.ts'
import { createRoles } from '../reader-roles.ts'
import { supervise } from '../supervise.ts'
import { createViewNames } from '../view-names.ts'
import { type Begun, beginQuery, finishQuery, type Given, seesPersonal } from './begin-query.ts'

/** Runs one query to the first rows, in a session of its own that can read views and nothing else. */
export async function runQuery(ctx: RequestContext, given: Given): Promise<SqlResult> {
  const nothing = { columns: [], rows: [] }
  return attempt(ctx, 'read', given, declaredLength, {
    work: async (session, statement) => {
      const { columns, rows, truncated } = await readFirst(session, { text: statement.text, values: given.parameters })
      return { ending: { rows: rows.length, truncated }, answer: { columns, rows: rows.map((cells) => [...cells]) } }
    },
    answer: (query, done, error) => ({ query, ...(done ?? nothing), error }),
  })
}

export async function explainQuery(ctx: RequestContext, given: Given & { analyze: boolean }) {
  const { analyze } = given
  return attempt(ctx, 'explain', given, explainedLength(analyze), {
    work: async (session, statement) => {
      const answer = await explain(session, { text: statement.text, values: given.parameters }, analyze)
      const [first] = Array.isArray(answer) ? answer : []
      return { ending: {}, answer: (first ?? null) as Record<string, unknown> | null }
    },
    answer: (query, plan, error) => ({ query, plan: plan ?? null, error }),
  })
}

type Read = { columns: SqlColumn[]; rows: Cells[]; truncated: 'rows' | 'bytes' | null }

async function readFirst(session: Session, asked: Parameters<typeof readResult>[1]): Promise<Read> {
  const read: Read = { columns: [], rows: [], truncated: null }
  let bytes = 0
  for await (const batch of readResult(session, asked)) {
    read.columns = batch.columns
    bytes += batch.bytes
    for (const cells of batch.rows) {
      if (read.rows.length === sqlLimits.rows) return { ...read, truncated: 'rows' }
      read.rows.push(cells)
    }
    // Of a batch that is too large some rows are shown, and of a row that is too large none.
    if (bytes > sqlLimits.bytes) return { ...read, rows: fitting(read.rows), truncated: 'bytes' }
  }
  return read
}

function fitting(rows: readonly Cells[]): Cells[] {
  let bytes = 0
  const end = rows.findIndex((cells) => {
    bytes += cells.reduce((sum, cell) => sum + (cell?.length ?? 0) + 4, 2)
    return bytes > sqlLimits.bytes
  })
  return end === -1 ? [...rows] : rows.slice(0, end)
}

type Ended = Awaited<ReturnType<typeof finishQuery>>
type Steps<Done, Answer> = {
  work: (
    session: Session,
    statement: Statement,
  ) => Promise<{ ending: { rows?: number; truncated?: 'rows' | 'bytes' | null }; answer: Done }>
  answer: (query: Ended, done: Done | undefined, error: SqlResult['error']) => Answer
}

/** The way of every query: checked, written down, run under watch, and its end written down. */
async function attempt<Done, Answer>(
  ctx: RequestContext,
  kind: 'read' | 'explain',
  given: Given,
  before: number,
  { work, answer }: Steps<Done, Answer>,
): Promise<Answer> {
  const views = await ctx.instance(createViewNames)()
  const checked = await checkQuery(given.query, views).catch((error: unknown) => {
    if (error instanceof Refused) return error
    throw error
  })
  if (checked instanceof Refused) {
    const begun = await beginQuery(ctx, kind, given, { refusal: checked.message })
    const error = { message: checked.message, hint: null, position: checked.position }
    return answer(await finishQuery(ctx, begun, { status: 'error', error }), undefined, error)
  }
  const unwanted = new AbortController()
  const places = ctx.instance(createPlaces)
  const mustWait = !places.hasFree()
  const taking = places.take(given.id, unwanted.signal)
  // To connect takes longest, so it begins while the query is still being written down. Nothing is asked before that is done.
  const connecting = taking.then(() => connectReader(ctx, given.id))
  // Told where it is waited for.
  connecting.catch(() => {})
  const begun = await beginQuery(ctx, kind, given, { mustWait }).catch(async (error: unknown) => {
    unwanted.abort()
    await connecting.then((session) => session.close()).catch(() => {})
    await taking.then((place) => place.leave()).catch(() => {})
    throw error
  })
  let watched: ReturnType<typeof supervise> | undefined
  let session: Session | undefined
  let place: Place | undefined
  const close = async (): Promise<void> => {
    watched?.stop()
    await session?.close()
    place?.leave()
  }
  try {
    place = await taking
    if (mustWait) {
      begun.startedAt = place.since
      await noteTurn(ctx, begun.id, new Date(ctx.clock()))
    }
    session = await connecting
    await mustBeWanted(ctx, begun)
    watched = supervise(ctx, begun.id, session, { seconds: sqlLimits.seconds, isConfined: true })
    const { ending, answer: done } = await work(session, checked)
    const [query] = await Promise.all([finishQuery(ctx, begun, { status: 'success', ...ending }), close()])
    return answer(query, done, null)
  } catch (failure) {
    const error = explainFailure(failure, {
      ...{ reason: watched?.reason() ?? null, isFlooded: session?.isFlooded() ?? false, before },
      offset: checked.offset,
    })
    const query = await finishQuery(ctx, begun, { status: 'error', error: error ?? notRun })
    if (!error) throw failure
    return answer(query, undefined, query.status === 'cancelled' ? { ...error, message: 'Cancelled' } : error)
  } finally {
    await close()
  }
}

const notRun = { message: 'The query could not be run', hint: null, position: null }

/** A fresh session of the role that sees personal columns, or of the one that does not. */
async function connectReader(ctx: RequestContext, id: string): Promise<Session> {
  const { names, passwordOf } = await ctx.instance(createRoles)()
  const name = seesPersonal(ctx) ? names.reader : names.masked
  return openSession(ctx.pool, id, { name, password: passwordOf(name) })
}

/** Throws what a cancelled query throws, where it was cancelled before there was a session to end. */
async function mustBeWanted(ctx: RequestContext, { id }: Begun): Promise<void> {
  if ((await findQuery(ctx, id))?.status !== 'processing') throw cancelled()
}
