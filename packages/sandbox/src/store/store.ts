import pg from 'pg'
import type { WebhookEndpoint } from '../stripe/types.ts'
import { matchingEndpoints } from '../webhooks/match.ts'
import { day } from '../world/periods.ts'
import { randomFrom } from '../world/random.ts'
import { refColumns } from '../world/refs.ts'
import { type Backing, type Due, type DueChange, type Entry, World, type WorldRequest } from '../world/world.ts'
import { toJson } from './json.ts'
import { migrate, quoteIdent } from './schema.ts'

/** Times and orders stay far below 2^53, so this pool alone reads bigint columns as numbers. */
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export type Queryable = { query: pg.Pool['query'] }
export type State = { seed: string; secretKey: string; nextOrd: number; clockOffset: number; seededAt: number | null }
export type StoreOptions = { databaseUrl: string; schema: string }

export type Store = {
  pool: pg.Pool
  /** The quoted schema, for queries. */
  schema: string
  read: Backing
  state(): Promise<State | undefined>
  init(seed: string, secretKey: string): Promise<State>
  setClockOffset(milliseconds: number): Promise<void>
  /** Runs a unit of work alone in the world, and keeps its changes with its events in one transaction. */
  write<T>(options: WriteOptions, work: (world: World, unit: Unit) => Promise<T>): Promise<T>
  /** Waits for its turn alone in the world, for the rest of the transaction. */
  lock(db: Queryable): Promise<unknown>
  nextDue(until: number): Promise<Due | undefined>
  nextDueIn(unit: Unit, until: number): Promise<Due | undefined>
  /** Forgets what Stripe forgets: events after a month, answers under keys after a day. */
  prune(now: number): Promise<void>
  close(): Promise<void>
}
export type WriteOptions = { now: number; request?: WorldRequest; wallNow: number }
export type Unit = {
  schema: string
  query: pg.Pool['query']
  /** Writes what has changed so far, inside the same transaction. */
  flush(): Promise<void>
  /** Flushes, and keeps the changes even if the work then ends with an error. */
  keep(): Promise<void>
}

const keptEventDays = 32

const stateColumns =
  'seed, secret_key as "secretKey", next_ord as "nextOrd", clock_offset as "clockOffset", seeded_at as "seededAt"'

export const rowColumns = 'kind, id, created, ord, deleted, doc, priv'

export function backingOf(db: Queryable, schema: string): Backing {
  return {
    async load(kind, id) {
      const sql = `select ${rowColumns} from ${schema}.objects where kind = $1 and id = $2`
      const { rows } = await db.query<Entry>(sql, [kind, id])
      return rows[0]
    },
    async search(kind, where, limit) {
      const columns = refColumns.filter((column) => where[column] !== undefined)
      const conditions = columns.map((column, index) => `${column} = $${index + 2}`)
      const sql = `select ${rowColumns} from ${schema}.objects
        where ${['kind = $1', 'not deleted', ...conditions].join(' and ')}
        ${limit === undefined ? '' : `order by created desc, ord desc limit ${limit}`}`
      const { rows } = await db.query<Entry>(sql, [kind, ...columns.map((column) => where[column])])
      return rows
    },
  }
}

export async function insertEntries(db: Queryable, schema: string, entries: Entry[]): Promise<void> {
  const batch = 500
  for (let from = 0; from < entries.length; from += batch) {
    const part = entries.slice(from, from + batch)
    await db.query(
      `insert into ${schema}.objects (kind, id, created, ord, deleted, doc, priv)
       select * from json_to_recordset($1::json)
         as part (kind text, id text, created bigint, ord bigint, deleted boolean, doc jsonb, priv jsonb)
       on conflict (kind, id) do update set deleted = excluded.deleted, doc = excluded.doc, priv = excluded.priv`,
      [toJson(part)],
    )
  }
}

export async function writeDues(db: Queryable, schema: string, changes: DueChange[]): Promise<void> {
  const gone = changes.filter(({ due }) => due === null)
  const set = changes.flatMap(({ due }) => (due ? [due] : []))
  if (gone.length > 0) {
    await db.query(
      `delete from ${schema}.dues using unnest($1::text[], $2::text[]) as gone (kind, ref)
       where dues.kind = gone.kind and dues.ref = gone.ref`,
      [gone.map(({ kind }) => kind), gone.map(({ ref }) => ref)],
    )
  }
  if (set.length === 0) return
  await db.query(
    `insert into ${schema}.dues (kind, ref, at, ord, data)
     select * from json_to_recordset($1::json) as part (kind text, ref text, at bigint, ord bigint, data jsonb)
     on conflict (kind, ref) do update set at = excluded.at, ord = excluded.ord, data = excluded.data`,
    [toJson(set)],
  )
}

async function queueDeliveries(db: Queryable, schema: string, entries: Entry[], wallNow: number): Promise<void> {
  const events = entries.filter((entry): entry is Entry<'event'> => entry.kind === 'event')
  if (events.length === 0) return
  const { rows } = await db.query<{ doc: WebhookEndpoint }>(
    `select doc from ${schema}.objects where kind = 'webhook_endpoint' and not deleted`,
  )
  const pairs = events.flatMap((event) => {
    const endpoints = matchingEndpoints(
      rows.map(({ doc }) => doc),
      event.doc.type,
    )
    event.doc.pending_webhooks = endpoints.length
    return endpoints.map((endpoint) => ({ event: event.id, endpoint: endpoint.id }))
  })
  if (pairs.length === 0) return
  await db.query(
    `insert into ${schema}.deliveries (event, endpoint, next_at)
     select event, endpoint, $3 from unnest($1::text[], $2::text[]) as pairs (event, endpoint)`,
    [pairs.map(({ event }) => event), pairs.map(({ endpoint }) => endpoint), wallNow],
  )
}

async function firstDue(db: Queryable, schema: string, until: number): Promise<Due | undefined> {
  const sql = `select kind, ref, at, ord, data from ${schema}.dues where at <= $1 order by at, ord limit 1`
  return (await db.query<Due>(sql, [until])).rows[0]
}

export async function openStore({ databaseUrl, schema: schemaName }: StoreOptions): Promise<Store> {
  const schema = quoteIdent(schemaName)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    idleTimeoutMillis: 3000,
    // Its process in the database never lets go of what it read of tables and plans.
    maxLifetimeSeconds: 300,
    application_name: 'agency-sandbox',
    types,
  })
  // A broken connection, idle or in use, is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const setup = await pool.connect()
  try {
    await migrate(setup as unknown as pg.Client, schemaName)
  } finally {
    setup.release()
  }
  const readState = async (db: Queryable) =>
    (await db.query<State>(`select ${stateColumns} from ${schema}.state`)).rows[0]

  const lock = (db: Queryable) =>
    db.query('select pg_advisory_xact_lock(hashtext($1))', [`sandbox-world ${schemaName}`])

  async function write<T>(options: WriteOptions, work: (world: World, unit: Unit) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken = false
    try {
      await client.query('begin')
      await lock(client)
      const state = await readState(client)
      if (!state) throw new Error('The sandbox has not been seeded')
      const stream = `${state.seed} ${state.nextOrd}`
      const world = new World({
        backing: backingOf(client, schema),
        now: options.now,
        ord: state.nextOrd,
        random: randomFrom(`${stream} chance`),
        ids: randomFrom(`${stream} ids`),
      })
      if (options.request) world.request = options.request
      const flush = async () => {
        const { entries, dues } = world.takeChanges()
        await queueDeliveries(client, schema, entries, options.wallNow)
        await insertEntries(client, schema, entries)
        await writeDues(client, schema, dues)
      }
      const commit = async () => {
        await flush()
        if (world.ord !== state.nextOrd) await client.query(`update ${schema}.state set next_ord = $1`, [world.ord])
        await client.query('commit')
      }
      const query = client.query.bind(client) as pg.Pool['query']
      const result = await work(world, { schema, query, flush, keep: commit })
      await commit()
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw error
    } finally {
      // A connection that cannot even roll back is not given to anyone else.
      client.release(broken)
    }
  }

  return {
    pool,
    schema,
    read: backingOf(pool, schema),
    state: () => readState(pool),
    async init(seed, secretKey) {
      await pool.query(
        `insert into ${schema}.state (seed, secret_key, next_ord) values ($1, $2, 1) on conflict do nothing`,
        [seed, secretKey],
      )
      return (await readState(pool))!
    },
    async setClockOffset(milliseconds) {
      await pool.query(`update ${schema}.state set clock_offset = $1`, [milliseconds])
    },
    write,
    lock,
    nextDue: (until) => firstDue(pool, schema, until),
    nextDueIn: (unit, until) => firstDue(unit, schema, until),
    async prune(now) {
      const oldest = now - keptEventDays * day
      await pool.query(
        `delete from ${schema}.deliveries using ${schema}.objects
         where objects.kind = 'event' and objects.id = deliveries.event and objects.created < $1`,
        [oldest],
      )
      await pool.query(`delete from ${schema}.objects where kind = 'event' and created < $1`, [oldest])
      await pool.query(`delete from ${schema}.idempotency where kept_at < now() - interval '25 hours'`)
    },
    close: () => pool.end(),
  }
}
