import { type Client, escapeIdentifier } from 'pg'
import { findTables, qualified } from './catalog.ts'

type Which = {
  table: string
  from: string
  to: string
  /** On the rows of either side. */
  where?: string
  /** Besides, on those that are copied: `{from}` and `{to}` are the schemas, `r` is the row. */
  only?: string
}

/** Copies rows between two schemas of the same form. */
export class RowCopy {
  readonly #client: Client
  readonly #columns: ReadonlyMap<string, readonly string[]>

  private constructor(client: Client, columns: ReadonlyMap<string, readonly string[]>) {
    this.#client = client
    this.#columns = columns
  }

  static async open(client: Client, schema: string): Promise<RowCopy> {
    const tables = await findTables(client, schema)
    return new RowCopy(client, new Map(tables.map(({ name, columns }) => [name, columns])))
  }

  /** Adds rows; one that is there under the same key becomes as it is in `from`. */
  async upsert(which: Which, key: readonly string[]): Promise<void> {
    const columns = this.#columnsOf(which.table)
    const changes = columns
      .filter((column) => !key.includes(column))
      .map((column) => `${id(column)} = excluded.${id(column)}`)
    const action = changes.length === 0 ? 'do nothing' : `do update set ${changes.join(', ')}`
    await this.#insert(which, `on conflict (${key.map(id).join(', ')}) ${action}`)
  }

  /** Adds the rows of `from` that are not there. */
  async add(which: Which): Promise<void> {
    await this.#insert(which, 'on conflict do nothing')
  }

  /** The rows of `from` take the place of all that are there. */
  async replace(which: Which): Promise<void> {
    const { table, to, where = 'true' } = which
    await this.#client.query(`delete from ${qualified(to, table)} where ${where}`)
    await this.#insert(which, '')
  }

  async #insert({ table, from, to, where = 'true', only = 'true' }: Which, conflict: string): Promise<void> {
    const list = this.#columnsOf(table).map(id).join(', ')
    const also = only.replaceAll('{from}', id(from)).replaceAll('{to}', id(to))
    await this.#client.query(
      `insert into ${qualified(to, table)} (${list}) overriding system value
       select ${list} from ${qualified(from, table)} r where ${where} and ${also} ${conflict}`,
    )
  }

  #columnsOf(table: string): readonly string[] {
    const columns = this.#columns.get(table)
    if (!columns) throw new Error(`There is no table ${table}`)
    return columns
  }
}

const id = escapeIdentifier
