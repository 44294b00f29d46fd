import type { Impersonation } from '@agency/contract/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, runJob, type TestContext } from '../../../test/context.ts'
import { eventually } from '../../../test/eventually.ts'
import { createPerson, createRole, mailsTo, secretsEnv, type TestPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { signIn, testAdminKey } from '../../../test/sign-in.ts'
import { asSystem } from '../../context.ts'
import { ensureAdminKey } from '../auth/index.ts'
import { createEndingWatch } from './index.ts'

let test_: TestContext

beforeAll(async () => {
  test_ = await createTestContext({ env: { ...secretsEnv, ADMIN_KEY: testAdminKey }, now: '2026-03-01T09:00:00Z' })
  await ensureAdminKey(asSystem(test_.ctx, 'job', 'start'))
  await insertRows(test_.ctx.pool, 'customers', [
    { id: 'cus_1', name: 'Ada <b>Lovelace</b>', email: 'ada@engines.example', phone: '1', company: 'Engines' },
    { id: 'cus_2', name: 'Bob' },
    { id: 'cus_gone', name: 'Gone', deleted_at: '2026-02-01T00:00:00Z' },
  ])
  await insertRows(test_.ctx.pool, 'subscriptions', [
    { id: 'sub_1', customer_id: 'cus_1', amount: 4900 },
    { id: 'sub_2', customer_id: 'cus_2', amount: 100 },
  ])
  const own = { customer_id: 'cus_1', hosted_invoice_url: 'https://pay.example/1' }
  await insertRows(test_.ctx.pool, 'invoices', [
    { ...own, id: 'in_1', number: 'A-1', created_at: '2026-01-01T00:00:00Z', invoice_pdf: 'https://pdf.example/1' },
    { ...own, id: 'in_2', number: 'A-2', created_at: '2026-02-01T00:00:00Z', invoice_pdf: 'javascript:alert(1)' },
    { ...own, id: 'in_draft', status: 'draft', created_at: '2026-02-02T00:00:00Z' },
    { id: 'in_other', customer_id: 'cus_2' },
  ])
  await insertRows(test_.ctx.pool, 'payments', [
    { id: 'pi_1', customer_id: 'cus_1', amount: 4900 },
    { id: 'pi_other', customer_id: 'cus_2' },
  ])
  await test_.ctx.pool.query(
    `insert into sites (id, site_name, domain, customer_id, status, created_at, updated_at)
      select 'site_' || repeat(letter, 16), name, lower(name) || '.example', customer, 'active', now(), now()
      from (values ('a', 'Harbour', 'cus_1'), ('b', 'Other', 'cus_2')) as s (letter, name, customer)`,
  )
})

afterAll(async () => {
  await test_?.close()
})

type Person = TestPerson & { sessionId: string; caller: Caller }
const reason = 'Asked us why the invoice is higher'

async function somebody(role = 'admin'): Promise<Person> {
  const person = await createPerson(test_, { role })
  return { ...person, caller: request(test_.ctx).withKey(person.key) }
}

const start = ({ caller }: Pick<Person, 'caller'>, body: Record<string, unknown> = {}) =>
  caller.post('/admin/impersonations/view', { customer_id: 'cus_1', reason, ...body })

async function viewing(role?: string): Promise<Person & { view: Impersonation }> {
  const person = await somebody(role)
  const answer = await start(person)
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('"live"')])
  return { ...person, view: answer.json().impersonation }
}

const oneOf = async (id: string): Promise<Impersonation> =>
  (await request(test_.ctx).as(['customers.read']).get(`/admin/impersonations/${id}`)).json().impersonation

async function entriesOf(id: string) {
  const rows = await test_.ctx.db
    .selectFrom('audit_entries')
    .select(['actor_type', 'actor_name', 'action', 'outcome', 'resource_id', 'after'])
    .where('action', 'like', 'impersonation.%')
    .orderBy('id')
    .execute()
  return rows.filter(({ after }) => (after as Record<string, unknown>)['impersonation_id'] === id)
}

async function countAll(): Promise<number> {
  const { rows } = await test_.ctx.pool.query('select count(*) as rows from impersonations')
  return Number(rows[0].rows)
}

describe('starting a view', () => {
  test('writes down who looks at whom and why, for half an hour', async () => {
    const person = await somebody()
    const answer = await start(person, { reason: `  ${reason} `, ticket_id: ' T-17 ' })
    const { impersonation } = answer.json()
    expect(impersonation).toMatchObject({
      ...{ way: 'view', state: 'live', customer_id: 'cus_1', customer_name: 'Ada <b>Lovelace</b>' },
      ...{ reason, ticket_id: 'T-17', actor_id: person.id, actor_name: person.name, is_mine: true, pages: [] },
      ...{ cause: null, ended_at: null, customer_deleted: false },
    })
    expect(Date.parse(impersonation.until) - Date.parse(impersonation.started_at)).toBe(30 * 60_000)
    expect(await entriesOf(impersonation.id)).toMatchObject([
      {
        ...{ actor_name: person.name, action: 'impersonation.start', outcome: 'done', resource_id: 'cus_1' },
        after: { way: 'view', reason, ticket_id: 'T-17', until: expect.any(String) },
      },
    ])
  })

  test.each([
    ['no reason', { reason: undefined }],
    ['a short reason', { reason: 'too short' }],
    ['a reason of blanks', { reason: ' '.repeat(20) }],
    ['a reason padded with blanks', { reason: 'a          b' }],
    ['five characters of four bytes', { reason: '🙂🙂🙂🙂🙂' }],
    ['a reason that is too long', { reason: 'x'.repeat(501) }],
    ['a reason that no database holds', { reason: 'a reason with \0 in it' }],
    ['a ticket of two lines', { ticket_id: 'T\n1' }],
    ['a ticket that is too long', { ticket_id: 'T'.repeat(101) }],
    ['no customer', { customer_id: undefined }],
    ['a field that is not known', { minutes: 600 }],
  ])('refuses %s', async (_what, change) => {
    const before = await countAll()
    const answer = await start(await somebody(), change)
    expect(answer.statusCode).toBe(400)
    expect(await countAll()).toBe(before)
  })

  test('tells the customer by mail when asked to, without the reason', async () => {
    const mails = await mailsTo(test_, 'ada@engines.example')
    const { impersonation } = (await start(await somebody(), { notify: true })).json()
    expect(impersonation.notice).toBe('kept')
    const [told, ...others] = (await mailsTo(test_, 'ada@engines.example')).slice(mails.length)
    expect(others).toEqual([])
    expect(told).toMatchObject({ kind: 'customer.impersonation', subject: 'Agency Console viewed your account' })
    expect(told?.text).toContain('Hello Ada <b>Lovelace</b>,')
    expect(told?.text).toContain('viewed your account')
    expect(told?.text).not.toContain(reason)
    const before = await countAll()
    expect((await start(await somebody(), { customer_id: 'cus_2', notify: true })).statusCode).toBe(409)
    expect(await countAll()).toBe(before)
    expect((await viewing()).view.notice).toBeNull()
  })

  test('refuses a customer that nobody knows and one that was deleted', async () => {
    const person = await somebody()
    const before = await countAll()
    expect((await start(person, { customer_id: 'cus_none' })).statusCode).toBe(404)
    const deleted = await start(person, { customer_id: 'cus_gone' })
    expect([deleted.statusCode, deleted.json().detail]).toEqual([
      409,
      'This customer was deleted. Nothing was started.',
    ])
    expect(await countAll()).toBe(before)
  })

  test('refuses without the permission, and writes that down', async () => {
    const answer = await start(await somebody('support'))
    expect([answer.statusCode, answer.json().permission]).toEqual([403, 'customers.write'])
  })

  test('refuses a key that nobody signed in with', async () => {
    const answer = await start({ caller: request(test_.ctx).withKey(testAdminKey) })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'conflict'])
  })

  test('refuses a second one in the same session, for any customer, also at the same moment', async () => {
    const person = await somebody()
    const answers = await Promise.all([start(person), start(person), start(person, { customer_id: 'cus_2' })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    const again = await start(person, { customer_id: 'cus_2' })
    expect(again.json().detail).toBe('You are already viewing a customer. End that view first.')
  })

  test('lets the shared admin key look from two sessions at once', async () => {
    for (const key of [await signIn(test_), await signIn(test_)])
      expect((await start({ caller: request(test_.ctx).withKey(key) })).statusCode).toBe(200)
  })
})

describe('looking', () => {
  test('shows what is the customer’s, and nothing of what is kept about them', async () => {
    const { caller, view } = await viewing()
    const look = async (page: string) => {
      test_.clock.advance(1000)
      return (await caller.get(`/admin/impersonations/${view.id}/${page}`)).json()
    }
    expect((await look('account')).account).toEqual({
      ...{ id: 'cus_1', name: 'Ada <b>Lovelace</b>', email: 'ada@engines.example', phone: '1', company: 'Engines' },
      ...{ country: null, created_at: '2026-01-01T00:00:00Z' },
    })
    const { subscriptions } = await look('subscriptions')
    expect(subscriptions).toMatchObject([{ id: 'sub_1', amount: 4900, status: 'active' }])
    expect(Object.keys(subscriptions[0])).not.toEqual(expect.arrayContaining(['mrr']))
    const { invoices, has_more } = await look('invoices')
    expect(has_more).toBe(false)
    expect(invoices).toMatchObject([
      { id: 'in_2', number: 'A-2', invoice_pdf: null },
      { id: 'in_1', number: 'A-1', invoice_pdf: 'https://pdf.example/1' },
    ])
    expect(Object.keys(invoices[0])).not.toContain('hosted_invoice_url')
    expect((await look('payments')).payments).toMatchObject([{ id: 'pi_1', amount: 4900 }])
    const { sites } = await look('sites')
    expect(sites).toMatchObject([{ id: 'site_aaaaaaaaaaaaaaaa', site_name: 'Harbour', domain: 'harbour.example' }])
    expect(Object.keys(sites[0])).not.toEqual(expect.arrayContaining(['health_detail', 'status_reason']))
    expect((await oneOf(view.id)).pages).toEqual(['account', 'subscriptions', 'invoices', 'payments', 'sites'])
  })

  test('pages through invoices', async () => {
    const { caller, view } = await viewing()
    const path = `/admin/impersonations/${view.id}/invoices?limit=1`
    const first = (await caller.get(path)).json()
    expect([first.invoices.length, first.has_more]).toEqual([1, true])
    const second = (await caller.get(`${path}&starting_after=${first.invoices[0].id}`)).json()
    expect(second.invoices).toMatchObject([{ id: 'in_1' }])
    expect((await caller.get(`${path}&starting_after=in_none`)).statusCode).toBe(400)
    expect((await caller.get(`/admin/impersonations/${view.id}/payments?limit=0`)).statusCode).toBe(400)
  })

  test('is for the session alone in which it was opened', async () => {
    const { view } = await viewing()
    const other = await somebody()
    for (const page of ['account', 'subscriptions', 'invoices', 'payments', 'sites']) {
      const path = `/admin/impersonations/${view.id}/${page}`
      expect((await other.caller.get(path)).statusCode).toBe(409)
      expect((await request(test_.ctx).withKey(testAdminKey).get(path)).statusCode).toBe(409)
    }
    expect((await oneOf(view.id)).pages).toEqual([])
    expect((await other.caller.get('/admin/impersonations/imp_none/account')).statusCode).toBe(404)
  })

  test('has nothing but reads', async () => {
    const { caller, view } = await viewing()
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const)
      for (const page of ['account', 'subscriptions', 'invoices', 'payments', 'sites']) {
        const url = `/api/admin/impersonations/${view.id}/${page}`
        expect((await caller.inject({ method, url })).statusCode).toBe(404)
      }
  })

  test('tells the session what it is in, and how long', async () => {
    const { caller, view } = await viewing()
    test_.clock.advance(60_000)
    expect((await caller.get('/admin/impersonation')).json()).toMatchObject({
      impersonation: { id: view.id },
      remaining_s: 29 * 60,
    })
    const { caller: other } = await somebody()
    const none = { impersonation: null, remaining_s: null }
    expect((await other.get('/admin/impersonation')).json()).toEqual(none)
    expect((await request(test_.ctx).withKey(testAdminKey).get('/admin/impersonation')).json()).toEqual(none)
  })
})

describe('the end of a view', () => {
  const refused = async ({ caller, view }: { caller: Caller; view: Impersonation }) =>
    (await caller.get(`/admin/impersonations/${view.id}/account`)).statusCode

  test('by hand: it says what was seen', async () => {
    const mine = await viewing()
    await mine.caller.get(`/admin/impersonations/${mine.view.id}/invoices`)
    test_.clock.advance(90_000)
    const ended = await mine.caller.post(`/admin/impersonations/${mine.view.id}/end`, {})
    expect(ended.json().impersonation).toMatchObject({ state: 'ended', cause: 'ended', ended_by: mine.name })
    expect((await entriesOf(mine.view.id))[1]).toMatchObject({
      ...{ actor_name: mine.name, action: 'impersonation.end', outcome: 'done', resource_id: 'cus_1' },
      after: { cause: 'ended', seconds: 90, pages: ['invoices'], writes: 0, of: mine.name },
    })
    expect(await refused(mine)).toBe(409)
    const again = await mine.caller.post(`/admin/impersonations/${mine.view.id}/end`, {})
    expect([again.statusCode, again.json().impersonation.ended_at]).toEqual([200, ended.json().impersonation.ended_at])
    expect(await entriesOf(mine.view.id)).toHaveLength(2)
    expect((await start(mine)).statusCode).toBe(200)
  })

  test('by somebody else, who is named', async () => {
    const mine = await viewing()
    const other = await somebody()
    await other.caller.post(`/admin/impersonations/${mine.view.id}/end`, {})
    expect(await oneOf(mine.view.id)).toMatchObject({ cause: 'ended_by_other', ended_by: other.name })
    expect((await entriesOf(mine.view.id))[1]).toMatchObject({ actor_name: other.name, after: { of: mine.name } })
    expect(await refused(mine)).toBe(409)
    expect((await other.caller.post('/admin/impersonations/imp_none/end', {})).statusCode).toBe(404)
    const { caller: support } = await somebody('support')
    expect((await support.post(`/admin/impersonations/${mine.view.id}/end`, {})).statusCode).toBe(403)
  })

  test('after half an hour, written down once, by whoever notices first', async () => {
    const mine = await viewing()
    test_.clock.advance(20 * 60_000)
    await mine.caller.post('/auth/heartbeat', {})
    test_.clock.advance(10 * 60_000)
    expect(await refused(mine)).toBe(409)
    await Promise.all([runJob(test_.ctx, 'impersonation.settle'), runJob(test_.ctx, 'impersonation.settle')])
    const over = await oneOf(mine.view.id)
    expect(over).toMatchObject({ state: 'ended', cause: 'time', ended_at: mine.view.until, ended_by: null })
    const [, ...ends] = await entriesOf(mine.view.id)
    expect(ends).toMatchObject([{ actor_type: 'job', after: { cause: 'time', seconds: 1800 } }])
  })

  test('with the activity of its session, at the moment of that, also when the job comes later', async () => {
    const mine = await viewing()
    await test_.ctx.pool.query(`update sessions set idle_expires_at = $1 where id = $2`, [
      new Date(test_.clock.now() + 5 * 60_000),
      mine.sessionId,
    ])
    test_.clock.advance(9 * 60_000)
    await runJob(test_.ctx, 'auth.sweep')
    await runJob(test_.ctx, 'impersonation.settle')
    expect((await entriesOf(mine.view.id))[1]).toMatchObject({ after: { cause: 'idle', seconds: 300 } })
  })

  test.each<[string, string, (mine: Person, root: Caller) => Promise<unknown>]>([
    ['the sign-out', 'signed_out', ({ caller }) => caller.post('/auth/logout', {})],
    [
      'the deactivation of the account',
      'deactivated',
      ({ id }, root) => root.post(`/admin/users/${id}/deactivate`, {}),
    ],
    ['the deletion of the account', 'deactivated', ({ id }, root) => root.delete(`/admin/users/${id}`)],
    ['a lower role', 'permission_lost', ({ id }, root) => root.patch(`/admin/users/${id}`, { role_id: 'support' })],
    [
      'the revocation of its session',
      'session_ended',
      ({ sessionId }, root) => root.post(`/admin/security/sessions/${sessionId}/revoke`, {}),
    ],
  ])('with %s, at once', async (_what, cause, act) => {
    const watch = createEndingWatch(test_.ctx)
    watch.start()
    try {
      const mine = await viewing()
      const done = (await act(mine, request(test_.ctx).withKey(testAdminKey))) as { statusCode: number }
      expect(done.statusCode).toBe(200)
      await eventually(async () => {
        expect((await entriesOf(mine.view.id))[1]).toMatchObject({ action: 'impersonation.end', after: { cause } })
      })
      expect([401, 403]).toContain(await refused(mine))
    } finally {
      await watch.stop()
    }
  })

  test('with the permission of its role, and the next look is refused', async () => {
    const roleId = await createRole(test_, ['customers.read', 'customers.write'])
    const mine = await viewing(roleId)
    await request(test_.ctx)
      .withKey(testAdminKey)
      .patch(`/admin/roles/${roleId}`, { permissions: ['customers.read'] })
    await eventually(async () => expect(await refused(mine)).toBe(403))
    expect(await oneOf(mine.view.id)).toMatchObject({ state: 'ended', cause: 'permission_lost' })
  })

  test('with the customer', async () => {
    await insertRows(test_.ctx.pool, 'customers', [{ id: 'cus_leaving', name: 'Leaving' }])
    const mine = await somebody()
    const view = (await start(mine, { customer_id: 'cus_leaving' })).json().impersonation
    await test_.ctx.pool.query(`update customers set deleted_at = now() where id = 'cus_leaving'`)
    expect(await refused({ ...mine, view })).toBe(409)
    expect(await oneOf(view.id)).toMatchObject({ cause: 'customer_deleted', customer_deleted: true })
    await test_.ctx.pool.query(`delete from customers where id = 'cus_leaving'`)
    expect(await oneOf(view.id)).toMatchObject({ customer_id: 'cus_leaving', customer_name: null })
  })
})

describe('the list', () => {
  const list = async (query = '') =>
    (await request(test_.ctx).as(['customers.read']).get(`/admin/impersonations?${query}`)).json()

  test('has live and past ones, newest first, in pages', async () => {
    const seen: Impersonation[] = []
    let page = await list('limit=3')
    for (;;) {
      seen.push(...page.impersonations)
      if (!page.has_more) break
      page = await list(`limit=3&starting_after=${seen.at(-1)?.id}`)
    }
    expect(seen).toHaveLength(await countAll())
    expect(page.total).toBe(seen.length)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    const times = seen.map(({ started_at }) => started_at)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('shows the live ones alone, and never one that is over', async () => {
    test_.clock.advance(1000)
    const mine = await viewing()
    const live = await list('show=live&limit=100')
    expect(live.impersonations.map(({ id }: Impersonation) => id)).toContain(mine.view.id)
    expect(live.impersonations.every(({ state }: Impersonation) => state === 'live')).toBe(true)
    await mine.caller.post('/auth/logout', {})
    expect((await list('show=live&limit=100')).impersonations.map(({ id }: Impersonation) => id)).not.toContain(
      mine.view.id,
    )
    expect((await list('show=past')).impersonations[0]).toMatchObject({ id: mine.view.id, cause: 'signed_out' })
  })

  test('refuses without the permission, and what it does not know', async () => {
    expect((await request(test_.ctx).as('readonly').get('/admin/impersonations')).statusCode).toBe(403)
    const caller = request(test_.ctx).as(['customers.read'])
    expect((await caller.get('/admin/impersonations?show=none')).statusCode).toBe(400)
    expect((await caller.get('/admin/impersonations?starting_after=imp_none')).statusCode).toBe(400)
    expect((await caller.get('/admin/impersonations/imp_none')).statusCode).toBe(404)
  })
})
