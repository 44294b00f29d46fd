import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lent } from '../../../test/database.ts'
import { installedPrograms, type Server, startInstalled } from '../../../test/installed-postgres.ts'
import { migrate } from '../../db/migrate.ts'
import { createSecretBox } from '../../platform/secrets.ts'
import { openSession } from './queries/session.ts'
import { endSessionOf } from './queries/signal.ts'
import { createRoles } from './reader-roles.ts'
import { findRoleTroubles } from './role-troubles.ts'
import { rolesScript } from './roles-script.ts'
import { ask, newQueryId, openSqlWorld, type SqlWorld } from './test/ask.ts'
import { endlessQueries, largeQueries, refusedStatements } from './test/hostile-statements.ts'
import { type Watch, watchHarm } from './test/unharmed.ts'

const everything = Object.values(refusedStatements).flat()
let server: Server | undefined
let folder: string | undefined

/** The embedded database, and one that somebody else runs and where the console may make no roles. */
const servers = {
  embedded: () => openSqlWorld(),
  external: async () => {
    folder = mkdtempSync(join(tmpdir(), 'sql-console-'))
    // The server's own account must reach its folder inside.
    chmodSync(folder, 0o755)
    server = await startInstalled(join(folder, 'server'))
    await migrate(server.connectionString)
    const database = lent(server.connectionString)
    const external = await openSqlWorld({ database, env: { DATABASE_URL: server.connectionString } })
    const { ctx } = external.t
    // The console may make no roles there: an administrator runs what it prints.
    await expect(ask(external.root, 'select 1')).rejects.toThrow('npm run sql-roles')
    expect(await findRoleTroubles(ctx.pool, null)).toMatchObject({ state: 'missing' })
    const box = await ctx.instance(createSecretBox)
    for (let time = 0; time < 2; time++) await server.asAdmin(await rolesScript(ctx.pool, box))
    expect(await findRoleTroubles(ctx.pool, box)).toMatchObject({ state: 'ready', troubles: [] })
    return external
  },
} satisfies Record<string, () => Promise<SqlWorld>>

const whyNot = installedPrograms ? '' : ' (skipped: no PostgreSQL under /usr/lib/postgresql)'

describe.each([
  ['embedded', ''],
  ['external', whyNot],
] as const)('on an %s server%s', (which, reason) => {
  const isThere = reason === ''
  let world: SqlWorld
  let watch: Watch

  /** Whether a process of the database still works for it. */
  async function isServed(id: string): Promise<boolean> {
    const text = `select from pg_stat_activity where application_name like '%' || $1`
    return (await world.t.ctx.pool.query(text, [id])).rowCount !== 0
  }

  beforeAll(async () => {
    if (!isThere) return
    world = await servers[which]()
    await ask(world.root, 'select 1')
    watch = await watchHarm(world)
  })
  afterAll(async () => {
    await watch?.close()
    await world?.t.close()
    if (which !== 'external') return
    await server?.end('SIGKILL')
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  test.skipIf(!isThere)('statements that are refused do no harm', async () => {
    for (const statement of everything) {
      const { query, error } = await ask(world.root, statement)
      watch.hear(JSON.stringify(error))
      expect([statement, query.status]).toEqual([statement, 'error'])
    }
    const { before, after } = await watch.check()
    expect(after).toEqual(before)
  })

  test.skipIf(!isThere)('nor would they without the guard: the role alone can do nothing', async () => {
    const { names, passwordOf } = await world.t.ctx.instance(createRoles)()
    for (const statement of everything) {
      const id = newQueryId()
      const role = { name: names.masked, password: passwordOf(names.masked) }
      const session = await openSession(world.t.ctx.pool, id, role)
      const timer = setTimeout(() => void endSessionOf(world.t.ctx.pool, id), 400)
      session.expect(50_000_000)
      try {
        await session.client.query('begin transaction read only')
        const { rows } = await session.client.query({ text: statement, queryMode: 'extended' } as never)
        watch.hear(JSON.stringify(rows).slice(0, 100_000))
      } catch (error) {
        watch.hear(String(error))
      }
      clearTimeout(timer)
      await session.close()
    }
    await sleep(500)
    const { before, after } = await watch.check()
    expect(after).toEqual(before)
  })

  test.skipIf(!isThere).each(endlessQueries)('%s ends by Cancel', async (query) => {
    const id = newQueryId()
    const running = ask(world.root, query, [], id)
    await sleep(700)
    const answer = await world.root.post(`/admin/sql/queries/${id}/cancel`)
    const { query: ended } = await running
    // On a server of our own some are over by then: they took more memory or disk than they may.
    expect(['cancelled', 'error']).toContain(ended.status)
    expect(answer.statusCode).toBe(200)
    // It gives back a gigabyte before it is gone.
    await expect.poll(() => isServed(id)).toBe(false)
  })

  test.skipIf(!isThere).each(largeQueries.map((query) => [query.slice(0, 60), query]))(
    '%s ends by itself',
    async (_, query) => {
      const id = newQueryId()
      const { query: ended, rows, error } = await ask(world.root, query, [], id)
      watch.hear(JSON.stringify(error))
      expect(['success', 'error']).toContain(ended.status)
      expect(rows.length).toBeLessThanOrEqual(1000)
      expect((await ask(world.root, 'select 1')).rows).toEqual([['1']])
      await expect.poll(() => isServed(id)).toBe(false)
    },
  )

  test.skipIf(!isThere)('all is as it was', async () => {
    const { before, after } = await watch.check()
    expect(after).toEqual(before)
  })
})

test('what takes more memory than it may is ended, and said to be', async () => {
  const world = await openSqlWorld()
  for (const made of ['array_agg(n)', 'jsonb_agg(n)']) {
    // A series in the list of columns is not written to disk first.
    const { error } = await ask(world.root, `select ${made} from (select generate_series(1, 1000000000) as n) s`)
    expect([made, error?.message]).toEqual([made, expect.stringContaining('256 MB of memory')])
  }
  await world.t.close()
})

test('what takes more time than it may is ended, by whoever is outside the database', async () => {
  const world = await openSqlWorld()
  const { error } = await ask(world.root, 'select count(*) from generate_series(1, 1000000000000) n')
  expect(error?.message).toMatch(/Stopped(: wrote more than| after 30 seconds)/)
  await world.t.close()
})
