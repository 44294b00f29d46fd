import pg from 'pg'
import { BoundedPool } from '../db/limits.ts'
import { createLane } from './lane.ts'

const keptIdleMs = 30_000

/**
 * The locks of a process have one connection, which is opened for the first and closed some time after the last: opening
 * one costs the database more than most jobs do. To PostgreSQL all of them have one holder, so what is held is known here.
 */
class LockHolder {
  readonly #held = new Set<string>()
  readonly #client: pg.Client
  readonly #lost: () => void
  readonly #connected: Promise<unknown>
  /** The driver no longer queues what comes while it waits for an answer. */
  readonly #inTurn = createLane()
  #idle: NodeJS.Timeout | undefined

  constructor(pool: pg.Pool, lost: () => void) {
    this.#lost = lost
    const { Client: Connection = pg.Client, ...options } = pool.options as pg.PoolConfig & { Client?: typeof pg.Client }
    this.#client = new Connection({ ...options, application_name: 'agency-console locks' })
    // The locks go with their connection; the work itself is told by its own queries that the database is lost.
    this.#client.on('error', lost)
    this.#client.on('end', lost)
    this.#connected = this.#client.connect()
    this.#connected.catch(lost)
  }

  async lock(name: string): Promise<(() => Promise<void>) | null> {
    if (this.#held.has(name)) return null
    clearTimeout(this.#idle)
    this.#held.add(name)
    try {
      if (await this.#ask('pg_try_advisory_lock', name)) return () => this.#unlock(name)
    } catch (error) {
      this.#forget(name)
      throw error
    }
    this.#forget(name)
    return null
  }

  async #unlock(name: string): Promise<void> {
    // A lost connection has let go of it already.
    await this.#ask('pg_advisory_unlock', name).catch(() => {})
    this.#forget(name)
  }

  #ask(what: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string): Promise<boolean> {
    const text = `select ${what}(hashtextextended($1, 0)) as done`
    return this.#inTurn(async () => {
      await this.#connected
      const { rows } = await this.#client.query<{ done: boolean }>(text, [name])
      return rows[0]?.done ?? false
    })
  }

  #forget(name: string): void {
    this.#held.delete(name)
    if (this.#held.size > 0) return
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close(), keptIdleMs).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#lost()
    await this.#client.end().catch(() => {})
  }
}

const holders = new WeakMap<pg.Pool, LockHolder>()

function holderOf(pool: pg.Pool): LockHolder {
  const known = holders.get(pool)
  if (known) return known
  const holder = new LockHolder(pool, () => {
    endsAlone?.()
    if (holders.get(pool) === holder) holders.delete(pool)
  })
  const endsAlone = pool instanceof BoundedPool ? pool.onEnd(() => holder.close()) : undefined
  holders.set(pool, holder)
  return holder
}

/**
 * Held until released or until the process dies; null when somebody else holds it. Its connection is none of the
 * pool's: who holds a lock works with the pool, and as many locks as it has connections would wait for each other.
 */
export const sessionLock = (pool: pg.Pool, name: string): Promise<(() => Promise<void>) | null> =>
  holderOf(pool).lock(name)
