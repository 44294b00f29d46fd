import type { AuditEntry } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { parseCsv } from '../../../test/csv.ts'
import { exportFile, exportsEnv } from '../../../test/exports.ts'
import { idsOf, readAllBackward, readAllForward } from '../../../test/paging.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { findEntries } from './index.ts'

const now = '2026-11-21T12:00:00Z'
const count = 1200
const actors = ['u_ada', 'u_grace', 'u_lin']
const names = ['Name u_ada', 'Name u_grace', 'דוד 100% Löwe']
const kinds = [
  ['payment.refund', 'payment'],
  ['user.update', 'user'],
  ['session.sign_in', 'session'],
  ['role.update', 'role'],
] as const

type Made = { id: string; at: string } & Record<string, string | number | null>

let t: TestContext
let rows: Made[]

/** Every tenth second several at once; one rare kind of everything among the oldest. */
function makeRows() {
  return Array.from({ length: count }, (_, index) => {
    const [action, resource] = kinds[index % kinds.length]!
    const isRare = index === 3
    return {
      at: new Date(Date.parse('2026-10-01T00:00:00Z') + Math.floor(index / 4) * 600_000).toISOString(),
      actor_type: isRare ? 'webhook' : 'user',
      actor_id: isRare ? 'stripe' : actors[index % actors.length]!,
      actor_name: isRare ? 'Stripe' : names[index % names.length]!,
      action: isRare ? 'mirror.empty' : action,
      resource_type: isRare ? 'mirror' : resource,
      resource_id: isRare ? 'acct_9' : `${resource}_${index % 50}`,
      outcome: index % 40 === 7 ? 'denied' : 'done',
      address: isRare ? null : `10.0.0.${index % 7}`,
      request_id: `r-${index}`,
    }
  })
}

beforeAll(async () => {
  t = await createTestContext({ now, env: await exportsEnv() })
  const made = makeRows()
  await insertRows(t.ctx.pool, 'audit_entries', made)
  const { rows: ids } = await t.ctx.pool.query<{ id: number }>('select id from audit_entries order by id')
  rows = made.map((row, index) => ({ ...row, id: String(ids[index]?.id) }))
})
afterAll(() => t.close())

const caller = () => request(t.ctx).as(['admin.system'])
const get = async (path: string) => (await caller().get(path)).json()

/** Newest first, those of the same instant by id. */
const newestFirst = (list: readonly Made[]): string[] =>
  idsOf([...list].sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || Number(b.id) - Number(a.id)))

const before = 'to=2026-11-01'
const filters: [string, (row: Made) => boolean][] = [
  [before, () => true],
  [`actor=u_ada&${before}`, (row) => row['actor_id'] === 'u_ada'],
  [`action=user.update&${before}`, (row) => row['action'] === 'user.update'],
  [`resource=role&${before}`, (row) => row['resource_type'] === 'role'],
  ['resource=payment&resource_id=payment_4', (row) => row['resource_id'] === 'payment_4'],
  ['resource_id=payment_4', (row) => row['resource_id'] === 'payment_4'],
  [`outcome=denied&${before}`, (row) => row['outcome'] === 'denied'],
  [`outcome=done&${before}`, (row) => row['outcome'] === 'done'],
  ['address=10.0.0.3', (row) => row['address'] === '10.0.0.3'],
  ['actor_type=webhook', (row) => row['actor_type'] === 'webhook'],
  ['from=2026-10-02&to=2026-10-02', (row) => row.at.startsWith('2026-10-02')],
  ['search=grace', (row) => row['actor_id'] === 'u_grace'],
  ['search=דוד', (row) => row['actor_id'] === 'u_lin'],
  ['search=L%C3%96', (row) => row['actor_id'] === 'u_lin'],
  ['search=100%25', (row) => row['actor_id'] === 'u_lin'],
  ['search=100_', () => false],
  ['search=327', () => false],
  ['search=%D7%93&outcome=denied', (row) => row['actor_id'] === 'u_lin' && row['outcome'] === 'denied'],
  ['search=ACCT_9', (row) => row['resource_id'] === 'acct_9'],
  [
    'actor=u_grace&outcome=denied&action=role.update',
    (row) => row['actor_id'] === 'u_grace' && row['outcome'] === 'denied' && row['action'] === 'role.update',
  ],
  [
    'actor=u_lin&address=10.0.0.5&search=session&from=2026-10-03',
    (row) =>
      row['actor_id'] === 'u_lin' &&
      row['address'] === '10.0.0.5' &&
      row['resource_type'] === 'session' &&
      row.at >= '2026-10-03',
  ],
  ['actor=u_ada&actor_type=webhook', () => false],
  ['search=nowhere', () => false],
  ['action=%00', () => false],
]

describe('the log', () => {
  test.each(filters)('has every entry that fits, in order, on pages of any size: %s', async (query, fits) => {
    const expected = newestFirst(rows.filter(fits))
    for (const limit of [7, 100]) {
      const path = `/admin/audit?limit=${limit}&${query}`
      expect(await readAllForward(get, path, 'entries')).toEqual(expected)
      if (expected.length > 0)
        expect(await readAllBackward(get, path, 'entries', expected.at(-1))).toEqual(expected.slice(0, -1))
    }
  })

  test('can be asked for several kinds of resources at once', async () => {
    const fits = rows.filter((row) => ['role', 'mirror'].includes(String(row['resource_type'])))
    const page = await findEntries(t.ctx, { resources: ['role', 'mirror', 'none'] }, { limit: 100 })
    expect(page.has_more).toBe(true)
    expect(idsOf(page.entries)).toEqual(newestFirst(fits).slice(0, 100))
    const none = await findEntries(t.ctx, { resources: ['none'], actor: 'u_ada' }, { limit: 5 })
    expect(none).toEqual({ entries: [], has_more: false })
  })

  test('tells who did what, when, from where, and where it is shown', async () => {
    const { entries } = await get('/admin/audit?resource=payment&resource_id=payment_4&limit=1')
    expect(entries[0] satisfies AuditEntry).toMatchObject({
      user_id: expect.stringMatching(/^u_/),
      user_name: expect.any(String),
      actor_type: 'user',
      action: 'payment.refund',
      details: 'Refunded the remaining amount for the payment payment_4',
      ip_address: expect.stringMatching(/^10\.0\.0\./),
      request_id: expect.stringMatching(/^r-/),
      created_at: expect.stringMatching(/Z$/),
      link: '/admin/payments?open=payment_4',
    })
  })

  test('knows which actions and kinds there are', async () => {
    const { actions, resources } = await get('/admin/audit/facets')
    expect(actions).toEqual(expect.arrayContaining(['mirror.empty', ...kinds.map(([action]) => action)]))
    expect(resources).toEqual([...new Set(resources)].sort())
    expect(resources).toEqual(expect.arrayContaining(['mirror', 'payment', 'role', 'session', 'user']))
  })

  test.each([
    ['limit=0', 'limit'],
    ['starting_after=abc', 'starting_after'],
    ['starting_after=999999999', 'starting_after'],
    ['ending_before=1;drop', 'ending_before'],
    ['search=ab', 'search'],
    ['search=a-b-c', 'search'],
    ['outcome=good', 'outcome'],
    ['from=yesterday', 'from'],
    ['sort=at', 'sort'],
  ])('refuses %s', async (query, parameter) => {
    const answer = await caller().get(`/admin/audit?${query}`)
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(answer.body).toContain(parameter)
  })
})

const record = (entry: Parameters<typeof recordAudit>[1]) =>
  inTransaction(asSystem(t.ctx, 'job', 'test'), (tx) => recordAudit(tx, entry))

describe('an entry', () => {
  test('shows what it changed, its place in the chain and its neighbours', async () => {
    await record({ action: 'user.update', resource: 'user', id: 'u_1', before: { name: 'A' }, after: { name: 'B' } })
    const { entries } = await get('/admin/audit?limit=2')
    const shown = await get(`/admin/audit/entries/${entries[0].id}`)
    expect(shown).toMatchObject({
      entry: { action: 'user.update', details: 'Changed the user B: name', link: '/admin/users?open=u_1' },
      differences: [{ path: 'name', before: 'A', after: 'B', kind: 'changed' }],
      newer_id: null,
      older_id: entries[1].id,
    })
    const older = await get(`/admin/audit/entries/${entries[1].id}`)
    expect(older).toMatchObject({ newer_id: entries[0].id, chain: { hash: shown.chain.previous_hash } })
    expect(shown.chain).toMatchObject({ seq: older.chain.seq + 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('never holds a secret', async () => {
    const secret = 'do-not-show-this'
    const after = { password: secret, deep: [{ api_token: secret, key: secret }], client_secret: secret, name: 'Ada' }
    await record({ action: 'user.create', resource: 'user', id: 'u_secret', after })
    const { entries } = await get('/admin/audit?resource=user&resource_id=u_secret')
    const text = (await caller().get(`/admin/audit/entries/${entries[0].id}`)).body
    expect(text).toContain('Ada')
    expect(text).not.toContain(secret)
  })

  test.each(['0', '999999999', 'abc', '1%00', '99999999999999999999'])('%s does not exist', async (id) => {
    expect((await caller().get(`/admin/audit/entries/${id}`)).json()).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('an export', () => {
  const file = (format: 'csv' | 'jsonl', parameters: object) => exportFile(t, { kind: 'audit', format, parameters })

  test('has exactly what the filters leave, newest first, as CSV that no spreadsheet runs', async () => {
    await record({ action: 'user.update', resource: 'user', id: '=cmd|calc' })
    const answer = await file('csv', { resource: 'user' })
    expect(answer.headers['content-disposition']).toBe('attachment; filename="audit-2026-11-21.csv"')
    const [header, ...records] = parseCsv(answer.body.slice(1))
    expect(header?.slice(0, 3)).toEqual(['Entry', 'Time', 'Who'])
    expect(records.map(([id]) => id)).toEqual(
      await readAllForward(get, '/admin/audit?limit=100&resource=user', 'entries'),
    )
    expect(records[0]).toContain("'=cmd|calc")
  })

  test('as JSON lines also has before, after and the hash of each', async () => {
    const { body } = await file('jsonl', { actor: 'u_grace', search: 'role', outcome: 'denied' })
    const entries = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const fits = rows.filter(
      (row) => row['actor_id'] === 'u_grace' && row['outcome'] === 'denied' && row['resource_type'] === 'role',
    )
    expect(idsOf(entries)).toEqual(newestFirst(fits))
    expect(entries[0]).toMatchObject({ before: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('is written down in words', async () => {
    await file('csv', { action: 'mirror.empty' })
    const { entries } = await get('/admin/audit?resource=export&limit=3')
    expect(entries.map(({ details }: Record<string, string>) => details)).toEqual([
      ...['Downloaded the export of audit log as CSV', 'Created a link to the export of audit log as CSV'],
      'Exported 1 row of audit log as CSV',
    ])
  })
})
