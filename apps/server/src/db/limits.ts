import { type ClientBase, DatabaseError, Pool, type PoolClient, type PoolConfig } from 'pg'
import { type Answered, AskedClient } from './asked-client.ts'

/** How long work may keep a connection, in milliseconds; what is left out has no end. */
export type WorkLimits = {
  /** To wait for a connection, be it a free one or a new one. */
  waitMs?: number
  /** So many may wait; the next one is refused at once. */
  maxWaiting?: number
  statementMs?: number
  lockMs?: number
  /** An open transaction without a statement. */
  idleMs?: number
  /** For the server to answer at all: it may be stopped in its tracks, and then ends no statement itself. */
  answerMs?: number
}

export const unlimited: WorkLimits = {}

/** A person waits: rather a refusal soon than an answer late. */
export const requestLimits = {
  waitMs: 5000,
  maxWaiting: 500,
  statementMs: 10_000,
  lockMs: 5000,
  idleMs: 30_000,
  answerMs: 12_000,
} satisfies WorkLimits

/** Nobody waits, and a job is tried again; but none holds a lock for ever. */
export const jobLimits = {
  waitMs: 30_000,
  statementMs: 120_000,
  lockMs: 30_000,
  idleMs: 120_000,
  answerMs: 130_000,
} satisfies WorkLimits

/** Exports and reports read much, one batch after the other, while somebody takes them. */
const reportLimits = { statementMs: 60_000, answerMs: 70_000 } satisfies WorkLimits

/** More callers wait for a connection than may. */
export class DatabaseBusy extends Error {
  override name = 'DatabaseBusy'
}

/** The server did not answer in time; the connection is closed, because nothing is known of it any more. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent'
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void

/** A pool in whose queue only so many wait, and whose connections are given up when the server falls silent. */
export class BoundedPool extends Pool {
  readonly #maxWaiting: number
  readonly #beside = new Set<() => Promise<void>>()

  constructor(config: PoolConfig, { maxWaiting = Number.POSITIVE_INFINITY, answerMs }: WorkLimits) {
    super({ ...config, Client: watched(answerMs) } as PoolConfig)
    this.#maxWaiting = maxWaiting
  }

  /** For a connection beside the pool that is made with its options: it ends with it. Returns the way to end alone. */
  onEnd(close: () => Promise<void>): () => void {
    this.#beside.add(close)
    return () => this.#beside.delete(close)
  }

  override async end(): Promise<void> {
    const closing = [...this.#beside].map((close) => close())
    this.#beside.clear()
    await Promise.all([super.end(), ...closing])
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): unknown {
    if (this.waitingCount < this.#maxWaiting) return callback ? super.connect(callback) : super.connect()
    const error = new DatabaseBusy(`${this.waitingCount} callers wait for a database connection already`)
    return callback ? process.nextTick(callback, error, undefined, () => {}) : Promise.reject(error)
  }
}

type Socket = { destroy(error: Error): void }

/**
 * A connection that closes when a query is not answered in time, or is answered by the end of the connection. The driver's
 * own time-out leaves it in the pool with the query still running, and whoever is given it next waits behind that query.
 */
function watched(givenMs: number | undefined) {
  return class WatchedClient extends AskedClient {
    answerMs = givenMs
    silent: DatabaseSilent | undefined

    protected override ask(question: unknown[], answered: Answered): never {
      const timer = this.answerMs === undefined ? undefined : setTimeout(() => this.giveUp(), this.answerMs)
      return super.ask(question, (error, result) => {
        clearTimeout(timer)
        answered(error && this.explain(error), result)
      })
    }

    giveUp(): void {
      this.silent = new DatabaseSilent(`The database did not answer within ${(this.answerMs ?? 0) / 1000} seconds`)
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
      stream.destroy(this.silent)
    }

    explain(error: unknown): unknown {
      // The server closes it right away; until that has arrived here, the pool would give it to the next caller.
      if (error instanceof DatabaseError && error.severity === 'FATAL') this.end().catch(() => {})
      // A rollback fails on the closed connection, and would hide why it was closed.
      return this.silent ?? error
    }
  }
}

/** Lets the statements of the transaction that is open on this connection take as long as those of a report. */
export async function allowReport(client: PoolClient): Promise<() => void> {
  await client.query(`set local statement_timeout = ${reportLimits.statementMs}`)
  const patience = client as PoolClient & { answerMs?: number }
  const before = patience.answerMs
  if (before === undefined) return () => {}
  patience.answerMs = reportLimits.answerMs
  return () => {
    patience.answerMs = before
  }
}

/** By a statement rather than at the start of the connection: a pooler in between refuses parameters that it does not know. */
export async function setLimits(client: Pick<ClientBase, 'query'>, limits: WorkLimits): Promise<void> {
  const { statementMs, lockMs, idleMs } = limits
  const names = { statement_timeout: statementMs, lock_timeout: lockMs, idle_in_transaction_session_timeout: idleMs }
  const settings = Object.entries(names).filter(([, value]) => value !== undefined)
  if (settings.length > 0) await client.query(settings.map(([name, value]) => `set ${name} = ${value}`).join('; '))
}
