import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { SqlQuery, SqlView } from '@agency/contract/sql-console'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { personAs } from '../../../test/exports.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { allowedProcessors, confinedTo } from './processors.ts'
import { ask, askOne, newQueryId, openSqlWorld, type SqlWorld } from './test/ask.ts'

let world: SqlWorld
/** Linux shares processors out among sessions, where it was built to. */
const hasGroups = existsSync('/proc/self/autogroup')
const hasProcesses = existsSync('/proc/self/status')
const auditOf = async (id: string) =>
  (
    await world.t.ctx.pool.query(
      'select action, outcome, after from audit_entries where resource_id = $1 order by id',
      [id],
    )
  ).rows
const history = async (caller = world.root, query = ''): Promise<SqlQuery[]> =>
  (await caller.get(`/admin/sql/queries${query}`)).json().queries

beforeAll(async () => {
  world = await openSqlWorld({ now: '2026-11-21T12:00:00Z' })
  const { pool } = world.t.ctx
  await insertRows(pool, 'customers', [
    { id: 'cus_1', name: 'Ann', email: 'ann@example.com', country: 'US', created_at: '2026-11-01T10:00:00Z' },
    { id: 'cus_2', name: null, email: 'bea@example.com', country: 'DE', created_at: '2026-11-02T10:00:00Z' },
  ])
  await insertRows(pool, 'payments', [
    { id: 'pi_1', customer_id: 'cus_1', amount: 5000, amount_captured: 5000 },
    { id: 'pi_2', customer_id: 'cus_2', amount: 700, amount_captured: 700, currency: 'eur' },
  ])
})
afterAll(() => world?.t.close())

describe('a query', () => {
  test('is answered with its columns, rows and time, and written down', async () => {
    const { query, columns, rows, error } = await ask(
      world.root,
      'select id, amount, net_amount > 1000 as large, created_at from payments order by id',
    )
    expect(error).toBeNull()
    expect(columns).toEqual([
      { name: 'id', type: 'text' },
      { name: 'amount', type: 'number' },
      { name: 'large', type: 'boolean' },
      { name: 'created_at', type: 'instant' },
    ])
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
      ['pi_1', '5000', 't'],
      ['pi_2', '700', 'f'],
    ])
    expect(query).toMatchObject({ kind: 'read', status: 'success', rows_affected: 2, truncated: null, error: null })
    expect(query.execution_time).toBeGreaterThanOrEqual(0)
    expect(await auditOf(query.id)).toMatchObject([
      { action: 'sql.execute', outcome: 'done', after: { query: query.query } },
    ])
    const { entries } = (await world.root.get('/admin/audit?action=sql.execute&limit=1')).json()
    expect(entries[0].link).toBe(`/admin/tools/database?query=${encodeURIComponent(query.query)}`)
  })

  test('takes parameters, keeps every digit, and tells two columns of one name apart', async () => {
    expect(
      await askOne(world.root, 'select count(*) from payments where amount > $1 and currency = $2', ['600', 'eur']),
    ).toBe('1')
    expect(await askOne(world.root, 'select 12345678901234567890.10::numeric + $1', ['1'])).toBe(
      '12345678901234567891.10',
    )
    expect(await askOne(world.root, 'select count(*) from customers where name is not distinct from $1', [null])).toBe(
      '1',
    )
    const { columns, rows } = await ask(world.root, 'select 1 as a, 2 as a, null as a')
    expect([columns.map(({ name }) => name), rows]).toEqual([['a', 'a', 'a'], [['1', '2', null]]])
  })

  test.each([
    ['select * from payment', null, 'There is no view payment'],
    ['select amont from payments', 7, 'column "amont" does not exist'],
    ['-- ü\nselect * form payments', 14, 'syntax error at or near "form"'],
    ['select pg_sleep(1)', 7, 'The function pg_sleep is not allowed here'],
    ['select 1; select 2', 10, 'One statement at a time'],
    ['delete from payments', null, 'DELETE is not allowed here'],
    ['select 1 / 0', null, 'division by zero'],
  ])('that is wrong says what and where: %s', async (text, position, message) => {
    const { error, query, rows } = await ask(world.root, text)
    expect(error?.message).toContain(message)
    if (position !== null) expect(error?.position).toBe(position)
    expect([query.status, query.error, rows]).toEqual(['error', error?.message, []])
  })

  test('shows a thousand rows, and says that there are more', async () => {
    const { query, rows } = await ask(world.root, 'select n from generate_series(1, 1001) n')
    expect([rows.length, query.rows_affected, query.truncated]).toEqual([1000, 1000, 'rows'])
    const whole = await ask(world.root, 'select n from generate_series(1, 1000) n')
    expect([whole.rows.length, whole.query.truncated]).toEqual([1000, null])
  })

  test('shows eight megabytes, and says that there is more', async () => {
    // Done before it comes behind everybody else, who may be busy.
    const text = 'x'.repeat(32)
    const wide = `select string_agg('${text}', '') from generate_series(1, 10000) n, generate_series(1, 40) m group by m`
    const { query, rows } = await ask(world.root, wide)
    expect(query.truncated).toBe('bytes')
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.length).toBeLessThan(30)
  })

  test('is ended by Cancel, and stays cancelled', async () => {
    const id = newQueryId()
    const running = ask(world.root, 'select count(*) from generate_series(1, 100000000000) n', [], id)
    const ofIt = async () => (await history(world.root, '?limit=100')).find((one) => one.id === id)?.status
    await expect.poll(ofIt).toBe('processing')
    const cancelled = await world.root.post(`/admin/sql/queries/${id}/cancel`)
    const { query, error } = await running
    const { rows: left } = await world.t.ctx.pool.query(
      `select pid from pg_stat_activity where application_name like '%' || $1`,
      [id],
    )
    expect(left).toEqual([])
    expect(cancelled.json().query.status).toBe('cancelled')
    expect([query.status, error?.message]).toEqual(['cancelled', 'Cancelled'])
    expect((await world.root.post(`/admin/sql/queries/${id}/cancel`)).json().query.status).toBe('cancelled')
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['sql.execute', 'sql.cancel'])
  })

  test.skipIf(!hasProcesses)(
    `that takes long comes behind everybody else${hasProcesses ? '' : ' (skipped: no processes to be seen here)'}`,
    async () => {
      const id = newQueryId()
      const running = ask(world.root, 'select count(*) from generate_series(1, 100000000000) n', [], id)
      const read = async (file: string) => {
        const { rows } = await world.t.ctx.pool.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name like '%' || $1`,
          [id],
        )
        return rows[0] && readFile(`/proc/${rows[0].pid}/${file}`, 'utf8')
      }
      if (hasGroups) await expect.poll(() => read('autogroup')).toMatch(/ nice 19$/m)
      const processors = `Cpus_allowed_list:\t${confinedTo(allowedProcessors())}\n`
      await expect.poll(() => read('status')).toContain(processors)
      await world.root.post(`/admin/sql/queries/${id}/cancel`)
      await running
    },
  )

  test.each([
    ['0', '0'],
    ['0-1', '1'],
    ['2,5', '5'],
    ['0-3', '1-3'],
    ['0-1,4-5,8-11', '4-5,8-11'],
  ])('on the processors %s is confined to %s', (allowed, confined) => {
    expect(confinedTo(allowed)).toBe(confined)
  })

  test('is ended by a Cancel that came before it', async () => {
    const id = newQueryId()
    const cancelled = world.root.post(`/admin/sql/queries/${id}/cancel`)
    const { query, error } = await ask(world.root, 'select count(*) from generate_series(1, 100000000000) n', [], id)
    expect((await cancelled).json().query.status).toBe('cancelled')
    expect([query.status, error?.message]).toEqual(['cancelled', 'Cancelled'])
  })

  test('of somebody else cannot be cancelled, and an id is used once', async () => {
    const { query } = await ask(world.root, 'select 1')
    const other = await personAs(world.t, 'super_admin')
    expect((await other.post(`/admin/sql/queries/${query.id}/cancel`)).statusCode).toBe(404)
    expect((await world.root.post('/admin/sql/queries', { id: query.id, query: 'select 2' })).statusCode).toBe(409)
  })

  test('that cannot be an id of one is not waited for', async () => {
    const refused = await world.root.post('/admin/sql/queries/short/cancel')
    expect([refused.statusCode, refused.json().parameter]).toEqual([400, 'id'])
  })

  test.each([
    [{ id: 'short', query: 'select 1' }, 'id'],
    [{ id: newQueryId(), query: '  ' }, 'query'],
    [{ id: newQueryId(), query: 'x'.repeat(50_001) }, 'query'],
    [{ id: newQueryId(), query: 'select 1', parameters: [1] }, 'parameters.0'],
  ])('that is no query is refused: %#', async (body, parameter) => {
    const answer = await world.root.post('/admin/sql/queries', body)
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
  })

  test.each([['admin'], ['support'], ['readonly']] as const)('is refused to the role %s', async (role) => {
    const answer = await request(world.t.ctx)
      .as(role)
      .post('/admin/sql/queries', { id: newQueryId(), query: 'select 1' })
    expect([answer.statusCode, answer.json().permission]).toEqual([403, 'admin.system'])
  })
})

describe('personal columns', () => {
  const text = 'select name, email from customers order by id'

  test('are shown to whoever may see customers', async () => {
    expect((await ask(world.root, text)).rows).toEqual([
      ['Ann', 'ann@example.com'],
      [null, 'bea@example.com'],
    ])
  })

  test('are masked for everybody else, wherever they are used', async () => {
    const caller = request(world.t.ctx).as(['admin.system'])
    expect((await ask(caller, text)).rows).toEqual([
      ['[masked]', '[masked]'],
      [null, '[masked]'],
    ])
    expect(await askOne(caller, `select count(*) from customers where email = 'ann@example.com'`)).toBe('0')
    expect(await askOne(caller, `select count(*) from customers where email like 'a%'`)).toBe('0')
    expect(await askOne(caller, 'select max(email) from customers')).toBe('[masked]')
    expect(await askOne(caller, 'select to_jsonb(c)::text from customers c limit 1')).not.toContain('ann@')
  })

  test('are marked in the schema', async () => {
    const answer = (await world.root.get('/admin/sql/schema')).json()
    const customers: SqlView = answer.views.find(({ name }: SqlView) => name === 'customers')
    expect(customers.columns.filter(({ is_personal }) => is_personal).map(({ name }) => name)).toEqual([
      ...['name', 'email', 'phone', 'company'],
    ])
    expect(answer.masks_personal).toBe(false)
    expect((await request(world.t.ctx).as(['admin.system']).get('/admin/sql/schema')).json().masks_personal).toBe(true)
  })
})

test('every view can be read, is described, and holds no secret', async () => {
  const { views } = (await world.root.get('/admin/sql/schema')).json() as { views: SqlView[] }
  expect(views.length).toBeGreaterThan(40)
  for (const { name, description, columns } of views) {
    expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z]/)])
    const { error } = await ask(world.root, `select * from ${name} limit 1`)
    expect([name, error]).toEqual([name, null])
    expect(
      columns
        .map((one) => one.name)
        .filter((one) => /(?<!commit_)hash|sealed|secret|token|raw|payload|metadata/.test(one)),
    ).toEqual([])
  }
})

describe('the history', () => {
  test('is one’s own, newest first, five at a time, and found by its words', async () => {
    const caller = await personAs(world.t, 'super_admin')
    for (let n = 0; n < 7; n++) {
      await ask(caller, `select ${n} as found_${n % 2 === 0 ? 'even' : 'odd'}`)
      world.t.clock.advance(1000)
    }
    const answer = (await caller.get('/admin/sql/queries')).json()
    expect(answer.queries).toHaveLength(5)
    expect(answer.has_more).toBe(true)
    expect(answer.queries[0].query).toBe('select 6 as found_even')
    expect(Object.keys(answer.queries[0])).toEqual(
      expect.arrayContaining(['id', 'query', 'executed_at', 'execution_time', 'rows_affected', 'status']),
    )
    expect((await history(caller, '?search=FOUND_odd&limit=50')).map(({ query }) => query)).toEqual(
      [5, 3, 1].map((n) => `select ${n} as found_odd`),
    )
    expect(await history(await personAs(world.t, 'super_admin'))).toEqual([])
  })

  test('tells of what a console left unfinished, and forgets what is older than a year', async () => {
    const { query } = await ask(world.root, 'select 1 as long_ago')
    const id = newQueryId()
    await world.t.ctx.pool.query(
      `insert into sql_queries (id, actor_type, actor_id, actor_name, kind, query, sees_personal, status, executed_at)
       values ($1, 'admin_key', 'admin_key', 'Admin key', 'read', 'select 2', true, 'processing', $2)`,
      [id, new Date(world.t.clock.now())],
    )
    world.t.clock.advance(120_000)
    await runJob(world.t.ctx, 'sql-console.sweep')
    const found = (await history(world.root, '?limit=100')).find((one) => one.id === id)
    expect(found).toMatchObject({ status: 'error', error: 'The console restarted during the query' })
    world.t.clock.advance(366 * 86_400_000)
    await runJob(world.t.ctx, 'sql-console.sweep')
    expect((await history(world.root, '?limit=100')).map((one) => one.id)).not.toContain(query.id)
    world.t.clock.advance(-366 * 86_400_000)
  })
})

describe('a plan', () => {
  const explain = (query: string, analyze = false, parameters: string[] = []) =>
    world.root.post('/admin/sql/explain', { id: newQueryId(), query, analyze, parameters })

  test('says how a query would be run, or how it was', async () => {
    const planned = (await explain('select * from payments where amount > $1', false, ['5'])).json()
    expect(planned).toMatchObject({ error: null, query: { kind: 'explain', status: 'success' } })
    expect(planned.plan.Plan).toMatchObject({ 'Node Type': expect.any(String), 'Total Cost': expect.any(Number) })
    expect(planned.plan['Execution Time']).toBeUndefined()
    const measured = (await explain('select * from payments', true)).json()
    expect(measured.plan['Execution Time']).toBeGreaterThan(0)
    expect(await auditOf(measured.query.id)).toMatchObject([{ action: 'sql.explain' }])
  })

  test('of what may not be run is refused as well', async () => {
    for (const text of ['delete from payments', 'select pg_sleep(9)', 'select * from public.users']) {
      const { plan, error, query } = (await explain(text, true)).json()
      expect([plan, query.status]).toEqual([null, 'error'])
      expect(error.message).toMatch(/not allowed|no view/)
    }
  })
})

describe('a snippet', () => {
  const terms = { name: 'Big payments', query: 'select * from payments where amount > 1000', is_shared: false }
  const snippets = async (caller = world.root) => (await caller.get('/admin/sql/snippets')).json().snippets

  test('is one’s own until it is shared, and only its owner changes it', async () => {
    const [owner, other] = [await personAs(world.t, 'super_admin'), await personAs(world.t, 'super_admin')]
    const { snippet } = (await owner.post('/admin/sql/snippets', terms)).json()
    expect(snippet).toMatchObject({ ...terms, is_mine: true, version: 1 })
    expect(await snippets(other)).toEqual([])
    const put = (caller: typeof owner, body: object) =>
      caller.inject({
        ...{ method: 'PUT', url: `/api/admin/sql/snippets/${snippet.id}` },
        ...{ headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) },
      })
    const changed = { ...terms, name: 'Large payments', is_shared: true }
    expect((await put(owner, { ...changed, version: 1 })).json().snippet).toMatchObject({
      name: 'Large payments',
      version: 2,
    })
    expect((await put(owner, { ...changed, version: 1 })).json()).toMatchObject({
      code: 'conflict',
      parameter: 'version',
    })
    expect(await snippets(other)).toMatchObject([{ name: 'Large payments', is_mine: false }])
    expect((await put(other, { ...changed, version: 2 })).statusCode).toBe(403)
    expect((await other.delete(`/admin/sql/snippets/${snippet.id}`)).statusCode).toBe(403)
    expect((await owner.delete(`/admin/sql/snippets/${snippet.id}`)).statusCode).toBe(200)
    expect(await snippets(other)).toEqual([])
    expect((await auditOf(snippet.id)).map(({ action }) => action)).toEqual([
      ...['sql_snippet.create', 'sql_snippet.update', 'sql_snippet.delete'],
    ])
  })

  test('needs a name and a query', async () => {
    for (const [body, parameter] of [
      [{ ...terms, name: ' ' }, 'name'],
      [{ ...terms, query: '' }, 'query'],
      [{ ...terms, name: 'x'.repeat(101) }, 'name'],
    ] as const) {
      const answer = await world.root.post('/admin/sql/snippets', body)
      expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
    }
  })
})
