import type { SqlWrite } from '@agency/contract/sql-console'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestContext, runJob } from '../../../test/context.ts'
import { addPerson, codeOf, enrol, goodPassword } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { createOpenWrites } from './open-writes.ts'
import { endSessionOf } from './queries/signal.ts'
import { change, openSqlWorld, orderOf, type SqlWorld } from './test/ask.ts'

let world: SqlWorld
const sql = async (text: string) => (await world.t.ctx.pool.query(text)).rows
const noteOf = async (id: string) => (await sql(`select text from customer_notes where id = '${id}'`))[0]?.text
const auditOf = async (id: string) =>
  (
    await world.t.ctx.pool.query(
      'select action, actor_name, after from audit_entries where resource_id = $1 order by id',
      [id],
    )
  ).rows
const stateOf = async (id: string) => (await sql(`select state from sql_writes where id = '${id}'`))[0]?.state
const sessionsOf = async (id: string) =>
  (await sql(`select count(*)::int as n from pg_stat_activity where application_name like '%${id}'`))[0]?.n
const end = (id: string, how: 'commit' | 'roll-back', caller = world.root) =>
  caller.post(`/admin/sql/writes/${id}/${how}`)

beforeAll(async () => {
  world = await openSqlWorld()
  await insertRows(world.t.ctx.pool, 'customers', [{ id: 'cus_1', name: 'Ann', email: 'ann@example.com' }])
})
afterAll(() => world?.t.close())
beforeEach(async () => {
  await sql('truncate sign_in_attempts, sign_in_lockouts')
  await sql('delete from customer_notes')
  await sql(`insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
    values ('n1', 'cus_1', 'One', 'user', 'u', 'U', now()), ('n2', 'cus_1', 'Two', 'user', 'u', 'U', now())`)
})

const update = `update customer_notes set text = 'Changed' where id = 'n1'`

describe('a change', () => {
  test('is shown with its rows before and after, and kept by Commit alone', async () => {
    const write = await change(world.root, { query: update })
    const text = write.columns.indexOf('text')
    expect(write).toMatchObject({ state: 'pending', verb: 'update', table: 'customer_notes', affected: 1 })
    expect([write.before[0]?.[text], write.after[0]?.[text]]).toEqual(['One', 'Changed'])
    expect(Date.parse(write.expires_at) - Date.parse(write.started_at)).toBe(300_000)
    expect(await noteOf('n1')).toBe('One')
    const { writes } = (await world.root.get('/admin/sql/writes')).json()
    expect(writes.map(({ id }: SqlWrite) => id)).toEqual([write.id])
    expect((await end(write.id, 'commit')).json().write).toMatchObject({ state: 'committed', before: [], after: [] })
    expect(await noteOf('n1')).toBe('Changed')
    expect(await sessionsOf(write.id)).toBe(0)
    expect((await end(write.id, 'commit')).json().write.state).toBe('committed')
    expect((await end(write.id, 'roll-back')).statusCode).toBe(409)
    expect(await auditOf(write.id)).toMatchObject([
      { action: 'sql.write', after: { query: update, reason: 'Put right by hand' } },
      { action: 'sql.commit', actor_name: 'Admin key', after: { table: 'customer_notes', affected: 1 } },
    ])
  })

  test('is taken back by Roll back', async () => {
    const write = await change(world.root, { query: update })
    expect((await end(write.id, 'roll-back')).json().write.state).toBe('rolled_back')
    expect(await noteOf('n1')).toBe('One')
    expect((await auditOf(write.id)).map(({ action }) => action)).toEqual(['sql.write', 'sql.roll_back'])
  })

  test('that deletes or adds shows what goes and what comes, with parameters', async () => {
    const gone = await change(world.root, { query: 'delete from customer_notes where id = $1', parameters: ['n2'] })
    expect([gone.affected, gone.before.length, gone.after.length]).toEqual([1, 1, 0])
    await end(gone.id, 'commit')
    expect(await noteOf('n2')).toBeUndefined()
    const made = await change(world.root, {
      query: `insert into customer_notes (id, customer_id, text, author_type, author_id, author_name, created_at)
        select 'n3', id, 'From a query', 'user', 'u', 'U', now() from sql_views.customers;`,
    })
    expect([made.affected, made.before.length, made.after.length]).toEqual([1, 0, 1])
    await end(made.id, 'commit')
    expect(await noteOf('n3')).toBe('From a query')
  })

  test('keeps right what follows from the rows', async () => {
    await sql(`insert into sites (id, site_name, domain, status, created_at, updated_at)
      values ('site_0000000000000001', 'Bakery', 'bakery.example', 'active', now(), now())`)
    const write = await change(world.root, {
      query: `update sites set status = 'maintenance' where id = 'site_0000000000000001'`,
    })
    await end(write.id, 'commit')
    expect(await sql(`select status, sites from site_counts where sites <> 0`)).toEqual([
      { status: 'maintenance', sites: 1 },
    ])
  })

  test('without WHERE is made only when that is said', async () => {
    const order = orderOf({ query: `update customer_notes set text = 'All'` })
    const refused = await world.root.post('/admin/sql/writes', order)
    expect([refused.statusCode, refused.json().parameter]).toEqual([400, 'all_rows'])
    const write = await change(world.root, { query: order.query, all_rows: true })
    expect(write.affected).toBe(2)
    await end(write.id, 'roll-back')
  })

  test('that fails says why, and leaves nothing open', async () => {
    const answer = await world.root.post(
      '/admin/sql/writes',
      orderOf({ query: `update customer_notes set text = ''` + ` where id = 'n1'` }),
    )
    expect(answer.json()).toMatchObject({ write: null, query: { status: 'error' } })
    expect(answer.json().error.message).toContain('violates check constraint')
    expect((await world.root.get('/admin/sql/writes')).json().writes).toEqual([])
  })

  test.each([
    ['update audit_entries set actor_name = 1', 'the audit log is append-only'],
    ['delete from audit_chain', 'the audit log is append-only'],
    ['update daily_revenue set net = 0', 'totals follow from other rows'],
    ['update customer_totals set total_revenue = 0', 'totals follow from other rows'],
    ['update payments set amount = 1', 'Stripe holds the original'],
    ['delete from customers', 'Stripe holds the original'],
    ['update users set role_id = 1', 'access and secrets'],
    ['update settings set value = null', 'access and secrets'],
    ['update public.customer_notes set text = 1', 'is read-only here'],
    ['update sql_views.sites set status = 1', 'is read-only here'],
    ['truncate customer_notes', 'one INSERT, UPDATE or DELETE'],
    ['drop table customer_notes', 'one INSERT, UPDATE or DELETE'],
    ['select 1', 'one INSERT, UPDATE or DELETE'],
    [`${update}; commit`, 'One statement at a time'],
    [`update customer_notes set text = 'x' where id = 'n1' returning *`, 'Remove RETURNING'],
    [`update customer_notes set id = 'x' where id = 'n1'`, 'is the key of customer_notes'],
    [`update customer_notes set text = (select password_hash from users limit 1)`, 'There is no view users'],
    [`with gone as (delete from customer_notes returning id) delete from sites where id = 'x'`, 'not allowed'],
    [`insert into customer_notes (id) values ('x') on conflict do nothing`, 'not allowed'],
    [`update customer_notes set text = pg_read_file('x') where id = 'n1'`, 'pg_read_file is not allowed'],
    [
      `update customer_notes set text = set_config('role', 'agency', false) where id = 'n1'`,
      'set_config is not allowed',
    ],
    [`merge into customer_notes using (select 1) s on true when matched then delete`, 'one INSERT, UPDATE or DELETE'],
  ])('that must not be is refused: %s', async (query, words) => {
    const {
      write,
      error,
      query: kept,
    } = (await world.root.post('/admin/sql/writes', orderOf({ query, all_rows: true }))).json()
    expect([write, kept.status]).toEqual([null, 'error'])
    expect(error.message).toContain(words)
    expect(await auditOf(kept.id)).toMatchObject([{ action: 'sql.refuse' }])
  })

  test('could not touch these tables without the guard either', async () => {
    const { ctx } = world.t
    const names = await sql(`select rolname from pg_roles where rolname = current_database() || '_sql_writer'`)
    const client = await ctx.pool.connect()
    for (const text of [
      ...[
        'delete from audit_entries',
        'update payments set amount = 1',
        'update customer_totals set total_revenue = 0',
      ],
      ...['select password_hash from users', 'select sealed from settings', 'select hook_secret_sealed from sites'],
      ...[`update sites set hook_url_sealed = 'x'`, 'truncate customer_notes', 'create table x ()', 'drop table sites'],
      ...[`update roles set permissions = '{}'`, 'update sessions set role = 1', 'delete from sql_queries'],
    ]) {
      await client.query('begin')
      await client.query(`set local role "${names[0]?.rolname}"`)
      await expect(client.query(text), text).rejects.toThrow(/permission denied|must be owner/)
      await client.query('rollback')
    }
    client.release()
  })
})

describe('a change is not kept', () => {
  test('when nobody decides in time', async () => {
    const write = await change(world.root, { query: update })
    await sql(`update sql_writes set expires_at = now() - interval '1 minute' where id = '${write.id}'`)
    const refused = await end(write.id, 'commit')
    expect(refused.statusCode).toBe(409)
    expect(await noteOf('n1')).toBe('One')
    expect((await auditOf(write.id)).map(({ action }) => action)).toEqual(['sql.write', 'sql.roll_back'])
  })

  test('when five minutes pass', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const write = await change(world.root, { query: update })
    vi.advanceTimersByTime(300_000)
    vi.useRealTimers()
    await expect.poll(() => stateOf(write.id)).toBe('rolled_back')
    expect((await end(write.id, 'commit')).json().detail).toBe('Rolled back: no decision within 5 minutes')
    expect(await noteOf('n1')).toBe('One')
    expect((await auditOf(write.id)).at(-1)).toMatchObject({
      action: 'sql.roll_back',
      actor_name: 'sql-console.writes',
    })
  })

  test('when the console is stopped', async () => {
    const other = await createTestContext({ database: world.t.database, clock: world.t.clock, env: world.env })
    const write = await change(request(other.ctx).withKey(world.adminKey), { query: update })
    await other.ctx.instance(createOpenWrites).stop()
    expect(await sessionsOf(write.id)).toBe(0)
    expect([await stateOf(write.id), await noteOf('n1')]).toEqual(['rolled_back', 'One'])
    expect((await end(write.id, 'commit')).json().detail).toBe('Rolled back: the console was stopped')
    await other.close()
  })

  test('when its connection is lost', async () => {
    const write = await change(world.root, { query: update })
    await endSessionOf(world.t.ctx.pool, write.id)
    await expect.poll(async () => (await end(write.id, 'roll-back')).json().write?.state).toBe('rolled_back')
    expect((await end(write.id, 'commit')).json().detail).toContain('connection to the database was lost')
    expect(await noteOf('n1')).toBe('One')
  })

  test('when its console ended', async () => {
    const write = await change(world.root, { query: update })
    await end(write.id, 'roll-back')
    await sql(`update sql_writes set state = 'pending', ended_at = null where id = '${write.id}'`)
    world.t.clock.advance(60_000)
    await runJob(world.t.ctx, 'sql-console.sweep')
    const refused = await end(write.id, 'commit')
    expect([refused.statusCode, refused.json().detail]).toEqual([409, 'Rolled back: the console restarted'])
  })
})

test('a change is ended by the process that holds it, whichever is asked', async () => {
  const other = await createTestContext({ database: world.t.database, clock: world.t.clock, env: world.env })
  const write = await change(world.root, { query: update })
  const answer = await request(other.ctx).withKey(world.adminKey).post(`/admin/sql/writes/${write.id}/commit`)
  expect([answer.statusCode, answer.json().write?.state]).toEqual([200, 'committed'])
  expect(await noteOf('n1')).toBe('Changed')
  expect((await auditOf(write.id)).map(({ actor_name }) => actor_name)).toEqual(['Admin key', 'Admin key'])
  await other.close()
})

describe('who it is is asked again', () => {
  const attempt = (caller: SqlWorld['root'], identity_proof: string) =>
    caller.post('/admin/sql/writes', orderOf({ query: update, identity_proof }))
  const refusedFor = async (caller: SqlWorld['root'], proof: string) => {
    const answer = await attempt(caller, proof)
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, 'identity_proof'])
  }
  const taken = async (caller: SqlWorld['root'], proof: string) => {
    const answer = await attempt(caller, proof)
    expect([answer.statusCode, answer.json().write?.state]).toEqual([200, 'pending'])
    await end(answer.json().write.id, 'roll-back', caller)
  }

  test('of the admin key by the key', async () => {
    await refusedFor(world.root, 'another key altogether, also long')
    await taken(world.root, world.adminKey)
  })

  test('of a person by the password, and by a code where there is a second factor', async () => {
    const person = await addPerson(world.t, { role: 'super_admin' })
    const caller = request(world.t.ctx).withKey(person.key)
    await refusedFor(caller, 'not the password')
    await taken(caller, goodPassword)
    const { key, secret, recoveryCodes } = await enrol(world.t, person.key, goodPassword)
    const enrolled = request(world.t.ctx).withKey(key)
    await refusedFor(enrolled, goodPassword)
    world.t.clock.advance(30_000)
    const code = codeOf(secret, world.t.clock.now())
    await taken(enrolled, code)
    await refusedFor(enrolled, code)
    await taken(enrolled, recoveryCodes[0] ?? '')
    await refusedFor(enrolled, recoveryCodes[0] ?? '')
  })

  test('and wrong answers count as sign-ins do', async () => {
    const person = await addPerson(world.t, { role: 'super_admin' })
    const caller = request(world.t.ctx).withKey(person.key, '10.99.0.1')
    for (let time = 0; time < 5; time++) await refusedFor(caller, 'wrong')
    expect((await attempt(caller, goodPassword)).statusCode).toBe(429)
  })

  test.each([[['admin.system']], [[]]] as const)('of nobody who does not hold admin.sql_write: %j', async (held) => {
    for (const path of ['/admin/sql/writes', '/admin/sql/writes/x/commit', '/admin/sql/writes/x/roll-back']) {
      const answer = await request(world.t.ctx)
        .as(held)
        .post(path, orderOf({ query: update }))
      expect([answer.statusCode, answer.json().permission]).toEqual([403, 'admin.sql_write'])
    }
  })
})
