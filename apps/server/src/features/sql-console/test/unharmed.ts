import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { digestTables } from '../../../../test/every-table.ts'
import { insertRows } from '../../../../test/rows.ts'
import type { SqlWorld } from './ask.ts'

const secret = 'MARKER-OF-A-SECRET'
const own = ['sql_queries', 'idempotency_keys', 'health_minutes']

/** Secrets wherever secrets lie, so that one that comes out is seen. */
async function plantSecrets({ t }: SqlWorld): Promise<void> {
  await insertRows(t.ctx.pool, 'customers', [{ id: 'cus_1', name: 'Ann', email: 'ann@example.com' }])
  await t.ctx.pool.query(
    `insert into users (id, name, email, role_id, password_hash, totp_secret, password_set_at, created_at, updated_at,
       created_by, created_by_name)
     values ('u1', 'Eve', 'eve@example.com', 'support', '${secret}', '${secret}', now(), now(), now(), 'x', 'X')`,
  )
  await t.ctx.pool.query(
    `insert into settings (key, sealed, version, updated_at, updated_by, updated_by_name)
     values ('stripe.secret_key', '${secret}', 1, now(), 'x', 'X')`,
  )
}

// Asked on a connection of its own: one that worked before also lists the settings of the modules that it loaded.
const settingsText = `select string_agg(name || '=' || setting, ',' order by name) as all
  from pg_settings where source <> 'session' and name <> 'transaction_isolation'`
const rolesText = `select string_agg(rolname || rolsuper || rolcanlogin, ',' order by rolname) as all from pg_roles
  where rolname not like '%_sql_%'`

const sessionsText = `select count(*) from pg_stat_activity where application_name like 'agency-console sql%'
  and datname = current_database()`

export type Watch = {
  /** What came out of the console is kept, and looked through at the end. */
  hear(text: string): void
  /** Throws when anything is not as it was, or a secret was heard. */
  check(): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** Looks at all that could have been harmed: rows, roles, settings, locks, sessions, files, other people's connections. */
export async function watchHarm(world: SqlWorld): Promise<Watch> {
  const { pool } = world.t.ctx
  await plantSecrets(world)
  const witness = new Client({ connectionString: world.t.database.connectionString })
  await witness.connect()
  const notices: string[] = []
  witness.on('notification', ({ payload = '' }) => notices.push(payload))
  await witness.query('listen changes')
  const settingsOfNewcomer = async () => {
    const newcomer = new Client({ connectionString: world.t.database.connectionString })
    await newcomer.connect()
    const { rows } = await newcomer.query(settingsText)
    await newcomer.end()
    return rows[0]
  }
  const pidOf = async () => (await witness.query('select pg_backend_pid() as pid')).rows[0].pid as number
  const one = async (text: string) => (await pool.query(text)).rows[0]
  // A backend that was told to end is still listed for a moment.
  const allEnded = async () => {
    for (let time = 0; time < 300 && Number((await one(sessionsText)).count) > 0; time++) await sleep(100)
  }
  const look = async () => {
    await allEnded()
    const digests = await digestTables(pool)
    for (const name of own) delete digests[name]
    return {
      tables: digests,
      witness: await pidOf(),
      settings: await settingsOfNewcomer(),
      roles: await one(rolesText),
      largeObjects: await one('select count(*) from pg_largeobject_metadata'),
      prepared: await one('select count(*) from pg_prepared_xacts'),
      slots: await one('select count(*) from pg_replication_slots'),
      functions: await one('select count(*) from pg_proc'),
      relations: await one(`select count(*) from pg_class where relnamespace <> 'pg_toast'::regnamespace`),
      databases: await one(`select count(*) from pg_database where datname = current_database()`),
      locks: await one(`select count(*) from pg_locks where locktype = 'advisory' and database =
        (select oid from pg_database where datname = current_database())`),
      sessions: await one(sessionsText),
    }
  }
  const heard: string[] = []
  const before = await look()
  return {
    hear: (text) => heard.push(text),
    async check() {
      const told = heard.join('\n')
      for (const word of [secret, 'root:x:0', 'SCRAM-SHA-256', '/pg/base'])
        if (told.includes(word)) throw new Error(`${word} was told`)
      const foreign = notices.filter((topic) => !['sql_console', 'audit', 'notifications', 'health'].includes(topic))
      if (foreign.length > 0) throw new Error(`changes were told: ${foreign.join(', ')}`)
      return { before, after: await look() } as never
    },
    close: () => witness.end(),
  }
}
