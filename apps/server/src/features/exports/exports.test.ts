import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Exported, ExportOrder } from '@agency/contract/exports'
import { readSheet } from 'read-excel-file/node'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportAs, exportFile, exportsEnv, personAs, takeFile } from '../../../test/exports.ts'
import { createPerson, createRole } from '../../../test/people.ts'
import { type Caller, createTestApp, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'

const count = 450
let t: TestContext
let root: Caller
let folder: string

beforeAll(async () => {
  const env: Record<string, string> = { ...(await exportsEnv()), ADMIN_KEY: testAdminKey }
  folder = join(env['DATA_DIR'] ?? '', 'exports')
  t = await createTestContext({ now: '2026-11-21T12:00:00Z', env })
  await ensureAdminKey(asSystem(t.ctx, 'job', 'start'))
  root = request(t.ctx).withKey(testAdminKey)
  const { pool } = t.ctx
  await insertRows(pool, 'customers', [
    { id: 'cus_x', name: '=cmd|calc', email: ' ＠evil.example', created_at: '2026-11-20T10:30:00Z' },
    ...Array.from({ length: count }, (_, index) => ({
      ...{ id: `cus_${index}`, name: `Customer ${index}`, country: index % 5 === 0 ? 'DE' : 'US' },
      created_at: '2026-01-01T00:00:00Z',
    })),
  ])
  await insertRows(pool, 'payments', [
    { id: 'pi_1', customer_id: 'cus_x', amount: 123_450, amount_captured: 123_450 },
    { id: 'pi_2', customer_id: 'cus_0', amount: 900, amount_captured: 900, currency: 'jpy' },
    { id: 'pi_3', customer_id: 'cus_1', amount: 1005, amount_captured: 1005, currency: 'eur' },
  ])
})
afterAll(() => t?.close())
// The limits of downloads are by minute.
beforeEach(() => t.clock.advance(61_000))

const customers = (format: ExportOrder['format'], parameters: object = {}): ExportOrder =>
  ({ kind: 'customers', format, parameters }) as ExportOrder
const linkTo = async (id: string, caller = root): Promise<string> =>
  (await caller.post(`/exports/${id}/link`)).json().url
const entriesOf = async (id: string) =>
  (await t.ctx.pool.query('select action, outcome, after from audit_entries where resource_id = $1 order by id', [id]))
    .rows
const sheetOf = async (bytes: Buffer) => readSheet(Readable.from([bytes]) as never)

describe('an export', () => {
  test('is ordered, made whole, linked and taken, and each of that is written down', async () => {
    const ready = await exportAs(t, root, customers('csv'))
    expect(ready).toMatchObject({
      ...{ title: 'Customers', state: 'ready', rows_done: count + 1, rows_total: count + 1, made_by: 'Admin key' },
      file_name: 'customers-2026-11-21.csv',
    })
    const file = await takeFile(t, await linkTo(ready.id))
    expect(file.headers).toMatchObject({
      'content-disposition': 'attachment; filename="customers-2026-11-21.csv"',
      'cache-control': 'no-store',
      'content-length': String(ready.bytes),
    })
    const [head, ...rows] = parseCsv(file.body.slice(1))
    expect(head?.[0]).toBe('Customer')
    expect(new Set(rows.map((cells) => cells.at(-1))).size).toBe(count + 1)
    expect((await entriesOf(ready.id)).map(({ action }) => action)).toEqual([
      ...['export.create', 'export.ready', 'export.link', 'export.download'],
    ])
    const { mode } = await stat(join(folder, ready.id))
    expect(mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).filter((name) => name.startsWith(ready.id))).toEqual([ready.id])
  })

  test('holds what the filters leave, in the order of the list', async () => {
    const file = await exportFile(t, customers('json', { country: 'DE', sort: 'name' }))
    const rows = JSON.parse(file.body) as { name: string; country: string; total_revenue: object }[]
    expect(rows).toHaveLength(count / 5)
    expect(rows.every(({ country }) => country === 'DE')).toBe(true)
    expect(rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name).sort())
    expect(rows.find(({ name }) => name === 'Customer 0')?.total_revenue).toEqual({ amount: 0, currency: 'usd' })
  })

  test('under the same key is ordered once', async () => {
    const headers = { 'idempotency-key': 'one-export' }
    const [first, again] = [
      await root.post('/exports', customers('csv'), headers),
      await root.post('/exports', customers('csv'), headers),
    ]
    expect(again.json().export.id).toBe(first.json().export.id)
    await t.runJobs()
  })

  test.each([
    [{ kind: 'customers', format: 'doc', parameters: {} }, 'format'],
    [{ kind: 'nothing', format: 'csv', parameters: {} }, 'kind'],
    [customers('csv', { status: 'gone' }), 'parameters.status'],
    [customers('csv', { limit: 5 }), 'limit'],
    [customers('jsonl'), 'format'],
    [{ kind: 'report_revenue', format: 'pdf', parameters: { from: '2026-01-01' } }, 'from'],
    [{ kind: 'report_usage', format: 'csv', parameters: { range: 'custom', from: '2026-01-01' } }, 'to'],
    [
      { kind: 'system_overview', format: 'csv', parameters: { start_date: '2030-01-01', end_date: '2030-01-31' } },
      'start_date',
    ],
  ])('of %j is refused, and the parameter named', async (order, parameter) => {
    const answer = await root.post('/exports', order)
    expect([answer.statusCode, answer.json().parameter]).toEqual([400, parameter])
  })

  test('needs the permission of the screen that shows its rows', async () => {
    const support = await personAs(t, 'support')
    const answer = await support.post('/exports', { kind: 'payments', format: 'csv', parameters: {} })
    expect([answer.statusCode, answer.json().permission]).toEqual([403, 'billing.read'])
    const { rows } = await t.ctx.pool.query(`select outcome from audit_entries where action = 'export.create'
      and resource_id = 'payments'`)
    expect(rows).toEqual([{ outcome: 'denied' }])
  })

  test('of others is seen with admin.system only', async () => {
    const admin = await personAs(t, 'admin')
    const { id } = await exportAs(t, admin, customers('csv'))
    expect((await root.get('/exports')).json().exports.map((one: Exported) => one.id)).toContain(id)
    const other = await personAs(t, 'admin')
    expect((await other.get('/exports')).json().exports).toEqual([])
    for (const answer of [await other.get(`/exports/${id}`), await other.post(`/exports/${id}/link`)])
      expect(answer.statusCode).toBe(404)
  })

  test('that is cancelled leaves nothing, twice as once, and is not made afterwards', async () => {
    const { id } = (await root.post('/exports', customers('csv'))).json().export
    for (let times = 0; times < 2; times++)
      expect((await root.post(`/exports/${id}/cancel`)).json().export.state).toBe('cancelled')
    await t.runJobs()
    expect((await root.get(`/exports/${id}`)).json().export.state).toBe('cancelled')
    expect(await readdir(folder)).not.toContain(id)
    expect((await root.post(`/exports/${id}/link`)).statusCode).toBe(409)
  })

  test('that cannot be made says why, and has no file', async () => {
    const { id } = (await root.post('/exports', customers('csv'))).json().export
    await t.ctx.pool.query('alter table customer_totals rename to customer_totals_away')
    await t.runJobs()
    await t.ctx.pool.query('alter table customer_totals_away rename to customer_totals')
    const failed = (await root.get(`/exports/${id}`)).json().export
    expect(failed).toMatchObject({
      state: 'failed',
      bytes: null,
      reason: expect.stringContaining('could not be created'),
    })
    expect(await readdir(folder)).not.toContain(id)
  })

  test('with more than a PDF may hold is refused in words', async () => {
    await insertRows(
      t.ctx.pool,
      'payments',
      Array.from({ length: 10_001 }, (_, index) => ({ id: `pi_many_${index}`, customer_id: 'cus_9' })),
    )
    const failed = await exportAs(t, root, { kind: 'payments', format: 'pdf', parameters: { customer: 'cus_9' } })
    expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('10,000 rows') })
  })

  test('is made again from the beginning by whoever finds it left', async () => {
    const { id } = (await root.post('/exports', customers('csv'))).json().export
    t.enqueued.length = 0
    await t.ctx.pool.query(`update exports set state = 'running', tries = 1, rows_done = 200 where id = $1`, [id])
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${id}.1.part`), 'half of')
    await runJob(t.ctx, 'exports.sweep')
    expect((await root.get(`/exports/${id}`)).json().export).toMatchObject({ state: 'ready', rows_done: count + 1 })
    expect((await readdir(folder)).filter((name) => name.startsWith(id))).toEqual([id])
  })

  test('that ended its process again and again fails', async () => {
    const { id } = (await root.post('/exports', customers('csv'))).json().export
    t.enqueued.length = 0
    await t.ctx.pool.query(`update exports set state = 'running', tries = 4 where id = $1`, [id])
    await runJob(t.ctx, 'exports.sweep')
    expect((await root.get(`/exports/${id}`)).json().export).toMatchObject({ state: 'failed' })
  })

  test('runs out after a day, and its file goes', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    t.clock.advance(24 * 3_600_000 + 1)
    await writeFile(join(folder, 'exp_stray.part'), 'nobody knows')
    await runJob(t.ctx, 'exports.sweep')
    expect((await root.get(`/exports/${id}`)).json().export).toMatchObject({ state: 'expired' })
    const left = await readdir(folder)
    expect(left).not.toContain(id)
    expect(left).not.toContain('exp_stray.part')
  })
})

describe('the same rows', () => {
  test('as XLSX have real numbers and dates, formulas as text, and the same sums', async () => {
    const rows = await sheetOf((await exportFile(t, customers('xlsx', { sort: '-created_at' }))).rawPayload)
    expect(rows).toHaveLength(count + 2)
    const [head = [], first = []] = rows
    const at = (title: string) => head.indexOf(title)
    expect(first[at('Customer')]).toBe('=cmd|calc')
    expect(first[at('Revenue')]).toBe(1234.5)
    expect(first[at('Created (UTC)')]).toEqual(new Date('2026-11-20T10:30:00Z'))
    expect(first[at('Sites')]).toBe(0)
    const sum = rows.slice(1).reduce((total, row) => total + Number(row[at('Revenue')]), 0)
    expect(sum).toBe(1234.5)
  })

  test('as CSV have formulas defused', async () => {
    const [, first] = parseCsv((await exportFile(t, customers('csv', { sort: '-created_at' }))).body.slice(1))
    expect(first?.slice(0, 2)).toEqual(["'=cmd|calc", "' ＠evil.example"])
  })

  test('as PDF have a title, numbered pages and the head of the table on each', async () => {
    const bytes = (await exportFile(t, customers('pdf'))).rawPayload
    const { totalPages, text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)))
    expect(totalPages).toBeGreaterThan(5)
    text.forEach((page, index) => {
      expect(page).toContain(`Page ${index + 1} of ${totalPages}`)
      expect(page).toContain('Account Type')
    })
    expect(text[0]).toContain('Times in UTC')
    const whole = text.join(' ')
    for (const index of [0, 123, count - 1]) expect(whole).toContain(`Customer ${index} `)
  })

  test('of payments, subscriptions and purchases come too', async () => {
    const payments = JSON.parse(
      (await exportFile(t, { kind: 'payments', format: 'json', parameters: { search: 'customer 1' } })).body,
    )
    expect(payments.map(({ id }: { id: string }) => id)).toEqual(['pi_3'])
    expect(payments[0]).toMatchObject({ amount: { amount: 1005, currency: 'eur' }, customer_name: 'Customer 1' })
    for (const kind of ['subscriptions', 'purchases'] as const)
      expect(JSON.parse((await exportFile(t, { kind, format: 'json', parameters: {} })).body)).toEqual([])
  })
})

describe('a signed link', () => {
  const refused = async (url: string, status = 403) => {
    const answer = await takeFile(t, url)
    expect([url, answer.statusCode]).toEqual([url, status])
    return answer.json().detail as string
  }

  test('that is altered anywhere is refused', async () => {
    const [one, other] = [await exportAs(t, root, customers('csv')), await exportAs(t, root, customers('csv'))]
    const url = new URL(await linkTo(one.id), 'http://console')
    const path = (change: (altered: URL) => void) => {
      const altered = new URL(url)
      change(altered)
      return altered.pathname + altered.search
    }
    const signature = url.searchParams.get('signature') ?? ''
    const last = signature.at(-1) === 'A' ? 'B' : 'A'
    await refused(path((u) => u.searchParams.set('signature', signature.slice(0, -1) + last)))
    await refused(path((u) => u.searchParams.set('signature', `${signature}=`)))
    await refused(path((u) => u.searchParams.set('signature', '')))
    await refused(path((u) => u.searchParams.set('expires', String(t.clock.now() + 3_600_000))))
    await refused(path((u) => u.searchParams.set('expires', `0${u.searchParams.get('expires')}`)))
    await refused(path((u) => u.searchParams.set('maker', 'user:somebody')))
    await refused(
      path((u) => {
        u.pathname = u.pathname.replace(one.id, other.id)
      }),
    )
    await refused(
      path((u) => u.searchParams.set('more', '1')),
      400,
    )
    await refused(
      path((u) => u.searchParams.delete('signature')),
      400,
    )
    expect(
      (
        await takeFile(
          t,
          path(() => {}),
        )
      ).statusCode,
    ).toBe(200)
    expect((await entriesOf(other.id)).map(({ action }) => action)).not.toContain('export.download')
  })

  test('opens nothing with any single sign of it changed', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    const url = await linkTo(id)
    const another = (sign: string) => (/\d/.test(sign) ? String((Number(sign) + 1) % 10) : sign === 'b' ? 'c' : 'b')
    const opened: string[] = []
    for (let at = url.indexOf(id); at < url.length; at++) {
      const sign = url[at] ?? ''
      if (!/[\w-]/.test(sign)) continue
      // As many as a minute allows, and the link lives for ten.
      if (at % 25 === 0) t.clock.advance(60_000)
      const altered = url.slice(0, at) + another(sign) + url.slice(at + 1)
      const { statusCode } = await takeFile(t, altered)
      if (statusCode === 200 || statusCode === 429) opened.push(`${statusCode} ${altered}`)
    }
    expect(opened).toEqual([])
    expect((await takeFile(t, url)).statusCode).toBe(200)
  })

  test('lives ten minutes', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    const url = await linkTo(id)
    t.clock.advance(10 * 60_000 - 1)
    expect((await takeFile(t, url)).statusCode).toBe(200)
    t.clock.advance(1)
    expect(await refused(url)).toContain('has expired')
  })

  test.each([
    ['role loses the permission', `update roles set permissions = '{}' where id = $2`],
    ['account is deactivated', 'update users set is_active = false where id = $1'],
    ['account has another role', `update users set role_id = 'readonly' where id = $1`],
    ['role asks for a second factor', 'update roles set requires_second_factor = true where id = $2'],
  ])('dies when its maker’s %s', async (_, sql) => {
    const role = await createRole(t, ['customers.read'])
    const person = await createPerson(t, { role })
    const caller = request(t.ctx).withKey(person.key)
    const { id } = await exportAs(t, caller, customers('csv'))
    const url = await linkTo(id, caller)
    expect((await takeFile(t, url)).statusCode).toBe(200)
    // Which of the two a statement is about differs.
    const used = [person.id, role].filter((_value, index) => sql.includes(`$${index + 1}`))
    await t.ctx.pool.query(sql.replace('$2', '$1'), used)
    expect(await refused(url)).toContain('lost access')
  })

  test('of an API key dies with the key', async () => {
    const made = (await root.post('/admin/api-keys', { name: 'reader', permissions: ['customers.read'] })).json()
    const caller = request(t.ctx).withKey(made.key)
    const { id } = await exportAs(t, caller, customers('csv'))
    const url = await linkTo(id, caller)
    expect((await takeFile(t, url)).statusCode).toBe(200)
    await root.post(`/admin/api-keys/${made.api_key.id}/revoke`)
    await refused(url)
  })

  test('leads to a page in a browser that was refused', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    const address = await t.ctx.instance(createTestApp).listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${address}${await linkTo(id)}x`, { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain('This link is not valid. Create a new one under Exports.')
  })

  test('to a file that was changed on disk gives nothing', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    await writeFile(join(folder, id), (await readFile(join(folder, id))).subarray(0, 10))
    expect(await refused(await linkTo(id), 503)).toContain('damaged')
  })

  test('is not followed more than so often a minute', async () => {
    const { id } = await exportAs(t, root, customers('csv'))
    const url = await linkTo(id)
    const statuses = new Set<number>()
    for (let times = 0; times < 31; times++) statuses.add((await takeFile(t, url)).statusCode)
    expect([...statuses]).toEqual([200, 429])
  })
})
