import { type Client, type ClientConfig, escapeIdentifier } from 'pg'
import type { TakenOff } from './rebuild.ts'
import { withOwnClient } from './write-archive.ts'

type Order = {
  connection: ClientConfig
  schema: string
  signal: AbortSignal
  taken: TakenOff
  onProgress(done: number, total: number): void
}

/** Builds the keys and indexes of tables that are filled: on a connection of its own while others are, and on both in the end. */
export class IndexBuilder {
  readonly #client: Client
  readonly #order: Order
  readonly #total: number
  readonly #waiting: Map<string, string[]>
  readonly #ready: string[][] = []
  #isLast = false
  #done = 0
  #work: Promise<void> = Promise.resolve()

  private constructor(client: Client, order: Order) {
    this.#client = client
    this.#order = order
    this.#waiting = new Map(order.taken.byTable)
    this.#total = [...this.#waiting.values()].flat().length + order.taken.last.length
  }

  /** Whatever fails in `work` ends what is being built. */
  static async beside<T>(order: Order, work: (builder: IndexBuilder) => Promise<T>): Promise<T> {
    const failed = new AbortController()
    const signal = AbortSignal.any([order.signal, failed.signal])
    return withOwnClient(order.connection, 'agency-console restore indexes', signal, async (client) => {
      await client.query(`set search_path = ${escapeIdentifier(order.schema)}, public`)
      await client.query("set maintenance_work_mem = '256MB'")
      try {
        return await work(new IndexBuilder(client, { ...order, signal }))
      } catch (error) {
        failed.abort(error)
        throw error
      }
    })
  }

  /** A table is filled. */
  add(table: string): void {
    this.#ready.push(this.#waiting.get(table) ?? [])
    this.#waiting.delete(table)
    this.#work = this.#work.then(() => this.#buildReady(this.#client))
    // Told by `finish`.
    this.#work.catch(() => {})
  }

  /** Builds what is left, together with a connection that has filled all tables, and then what needs several of them. */
  async finish(other: Client): Promise<void> {
    this.#isLast = true
    for (const table of [...this.#waiting.keys()]) this.add(table)
    await Promise.all([this.#work, this.#buildReady(other)])
    await this.#build(this.#client, this.#order.taken.last)
  }

  async #buildReady(client: Client): Promise<void> {
    for (let next = this.#ready.shift(); next; next = this.#ready.shift()) await this.#build(client, next)
  }

  async #build(client: Client, statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      this.#order.signal.throwIfAborted()
      if (this.#isLast) this.#order.onProgress(this.#done, this.#total)
      await client.query(statement)
      this.#done++
    }
  }
}
