import { sqlLimits } from '@agency/contract/sql-console'
import { type AppContext, type AuditContext, asSystem, inTransaction } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import type { Session } from './queries/session.ts'
import { asConsole, commit, rollBack } from './queries/write-session.ts'
import { findWanted, findWrite, patchPending } from './queries/writes.ts'

export type Outcome = 'commit' | 'roll_back'
/** Who wants it, as an audit entry names them. */
export type By = Pick<AuditContext, 'actor' | 'requestId' | 'address' | 'userAgent'>

type OpenWrite = { session: Session; timer: NodeJS.Timeout; ending?: Promise<void> }

/** What is written into `wanted`, and read from it by the process that holds the transaction. */
export const wantedOf = (outcome: Outcome, { actor, requestId, address, userAgent }: By): string => {
  const { type, id, name, role } = actor
  return JSON.stringify({ outcome, by: { actor: { type, id, name, role }, requestId, address, userAgent } })
}

export const undecided = `Rolled back: no decision within ${sqlLimits.writeSeconds / 60} minutes`

const connectionLost = 'Rolled back: the connection to the database was lost'
const stopped = 'Rolled back: the console was stopped'

/** The transactions of this process that wait for a word. */
export function createOpenWrites(ctx: AppContext) {
  const open = new Map<string, OpenWrite>()
  const system = () => asSystem(ctx, 'job', 'sql-console.writes')
  let isStopped = false

  const unsubscribe = ctx.changes.subscribe((topics) => {
    if (!topics.has('sql_console') || open.size === 0) return
    obey().catch((error: unknown) => ctx.log.warn({ err: error }, 'what was asked of a change by SQL was not read'))
  })

  /** What somebody asked for through another process. */
  async function obey(): Promise<void> {
    for (const { id, wanted } of await findWanted(ctx, [...open.keys()])) {
      const { outcome, by } = wanted as unknown as { outcome: Outcome; by: By }
      await end(id, outcome, { ...by, actor: { ...by.actor, permissions: new Set() } })
    }
  }

  function hold(id: string, session: Session): void {
    const timer = setTimeout(() => takeBack(id, undecided), sqlLimits.writeSeconds * 1000)
    timer.unref()
    open.set(id, { session, timer })
    session.client.on('end', () => void lost(id))
    if (isStopped) takeBack(id, stopped)
  }

  function takeBack(id: string, note: string): void {
    end(id, 'roll_back', system(), note).catch((error: unknown) =>
      ctx.log.warn({ err: error, id }, 'a change by SQL was rolled back, but not recorded as such yet'),
    )
  }

  /** Rolls back what is still open: nobody could commit it once the process is gone. */
  async function stop(): Promise<void> {
    isStopped = true
    unsubscribe()
    await Promise.all([...open.keys()].map((id) => end(id, 'roll_back', system(), stopped)))
  }

  /** Answers false where this process does not hold it. Of two at once the first decides. */
  async function end(id: string, outcome: Outcome, by: By, note: string | null = null): Promise<boolean> {
    const write = open.get(id)
    if (!write) return false
    write.ending ??= carryOut(id, write, outcome, by, note)
    await write.ending
    return true
  }

  async function carryOut(id: string, { session, timer }: OpenWrite, outcome: Outcome, by: By, note: string | null) {
    clearTimeout(timer)
    try {
      if (outcome === 'commit') await keep(id, session, by)
      else {
        const isLost = await rollBack(session).then(
          () => false,
          () => true,
        )
        await tellRolledBack(id, by, isLost ? connectionLost : note)
      }
    } finally {
      open.delete(id)
      await session.close()
    }
  }

  /** What is written down of it is kept with it, or neither is. */
  async function keep(id: string, session: Session, by: By): Promise<void> {
    const row = await findWrite(ctx, id)
    if (!row) return
    try {
      const db = await asConsole(session)
      const { query, reason, verb, table_name: table, affected } = row
      if (!(await patchPending({ db }, id, { ...ended(ctx.clock()), state: 'committed' })))
        throw new Error('the change had already ended')
      await recordAudit(
        { ...by, clock: ctx.clock, db },
        { action: 'sql.commit', resource: 'sql_query', id, after: { query, reason, verb, table, affected } },
      )
      await commit(session)
    } catch (error) {
      ctx.log.warn({ err: error, id }, 'a change by SQL was not committed')
      await rollBack(session).catch(() => {})
      const words = error instanceof Error ? error.message : String(error)
      await tellRolledBack(id, by, `Not committed, rolled back: ${words}`)
    }
  }

  async function tellRolledBack(id: string, by: By, note: string | null): Promise<void> {
    await inTransaction({ ...ctx, ...by }, async (tx) => {
      const row = await findWrite(tx, id)
      if (!row || !(await patchPending(tx, id, { ...ended(tx.clock()), state: 'rolled_back', note }))) return
      const { query, reason, verb, table_name: table, affected } = row
      const after = { query, reason, verb, table, affected, ...(note !== null && { note }) }
      await recordAudit(tx, { action: 'sql.roll_back', resource: 'sql_query', id, after })
    })
  }

  /** Its connection is gone, and with it the change. */
  async function lost(id: string): Promise<void> {
    const write = open.get(id)
    if (!write || write.ending) return
    clearTimeout(write.timer)
    open.delete(id)
    await tellRolledBack(id, system(), connectionLost).catch((error: unknown) =>
      ctx.log.warn({ err: error, id }, 'a change by SQL was lost with its connection, but not recorded as such yet'),
    )
  }

  return { hold, end, stop, tellRolledBack }
}

/** What the rows held is nobody's business afterwards. */
const ended = (now: number) => ({ ended_at: new Date(now), before: '[]', after: '[]', wanted: null })
