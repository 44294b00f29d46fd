import type { Sandbox } from '@agency/sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type Console, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { createPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console
let customer: string

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 2 } }))
  console_ = await openConsole(sandbox, { env: { PUBLIC_URL: 'https://console.example/' } })
  const made = await request(console_.ctx).as('admin').post('/stripe/customers', { name: 'Ada' })
  customer = made.json().customer.id
})

afterAll(async () => {
  await console_?.close()
  await stop?.()
})

afterEach(async () => {
  sandbox.faults.clear()
  await console_.ctx.pool.query('drop trigger if exists broken on audit_entries')
})

const reason = 'Cannot find the invoice'

async function caller(role = 'admin') {
  return request(console_.ctx).withKey((await createPerson(console_, { role })).key)
}

const open = async (body: Record<string, unknown> = {}, by = caller()) =>
  (await by).post('/admin/impersonations/portal', { customer_id: customer, reason, ...body })

const asked = () => sandbox.requestLog().filter(({ name }) => name === 'billingPortal.sessions.create')

async function entries() {
  const rows = await console_.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'after', 'resource_id'])
    .where('action', 'like', 'impersonation.%')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, after: row.after as Record<string, unknown> }))
}

const newest = async () =>
  (await request(console_.ctx).as('admin').get('/admin/impersonations?limit=1')).json().impersonations[0]

/** Every row of every table as text. */
async function everythingStored(): Promise<string> {
  const { rows } = await console_.ctx.pool.query(`select table_schema || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`)
  const texts = await Promise.all(
    rows.map(({ name }) => console_.ctx.pool.query(`select string_agg(t::text, '') as all from ${name} t`)),
  )
  return texts.map((answer) => answer.rows[0].all).join('\n')
}

describe('the billing portal', () => {
  test('is opened once it is written down who asks and why, and its address is kept nowhere', async () => {
    const before = asked().length
    const answer = await open({ ticket_id: 'T-1' })
    expect(answer.statusCode).toBe(200)
    const { url, impersonation } = answer.json()
    expect(new URL(url).pathname).toContain('/p/session/')
    expect(impersonation).toMatchObject({ way: 'portal', state: 'handed_over', until: null, ended_at: null, reason })
    const sent = asked().slice(before)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.params).toEqual({ customer, return_url: 'https://console.example/admin/impersonation' })
    const told = (await entries()).filter(({ after }) => after['impersonation_id'] === impersonation.id)
    expect(told).toMatchObject([
      {
        action: 'impersonation.start',
        outcome: 'done',
        resource_id: customer,
        after: { state: 'requested', reason, ticket_id: 'T-1' },
      },
      {
        action: 'impersonation.start',
        outcome: 'done',
        after: { state: 'done', provider_request_id: expect.stringMatching(/^req_/) },
      },
    ])
    expect(await everythingStored()).not.toContain(url.slice(-20))
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('is not asked for when its audit entry cannot be written', async () => {
    const before = asked().length
    await console_.ctx.pool.query(
      "create or replace function break_it() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$",
    )
    await console_.ctx.pool.query(
      'create trigger broken before insert on audit_entries for each row execute function break_it()',
    )
    const answer = await open()
    await console_.ctx.pool.query('drop trigger broken on audit_entries')
    expect(answer.statusCode).toBe(500)
    expect(asked()).toHaveLength(before)
  })

  test.each<[string, Parameters<Sandbox['faults']['next']>[2], number]>([
    ['Stripe is away', { status: 503 }, 503],
    ['the portal is not set up', { status: 400, message: 'No configuration provided' }, 422],
    ['the answer is lost', { connection: 'lost' }, 503],
    ['the answer is no session', { malformed: 'html' }, 502],
  ])('stays written down as failed when %s', async (_what, fault, status) => {
    sandbox.faults.next('stripe', 'billingPortal.sessions.create', fault, null)
    const answer = await open()
    expect(answer.statusCode).toBe(status)
    expect(await newest()).toMatchObject({ way: 'portal', state: 'failed', cause: 'provider_failed' })
    const told = (await entries()).slice(-2)
    expect(told).toMatchObject([
      { outcome: 'done', after: { state: 'requested', reason } },
      { outcome: 'failed', after: { state: 'failed', error: expect.stringContaining('Stripe') } },
    ])
  })

  test('that a dead process asked for has failed', async () => {
    await console_.ctx.pool.query(
      `insert into impersonations (id, way, state, customer_id, session_id, actor_type, actor_id, actor_name, reason, started_at)
       values ('imp_dead', 'portal', 'requested', $1, 's', 'user', 'u', 'Grace', $2, $3)`,
      [customer, reason, new Date(console_.clock.now() - 3 * 60_000)],
    )
    await runJob(console_.ctx, 'impersonation.settle')
    await runJob(console_.ctx, 'impersonation.settle')
    const told = (await entries()).filter(({ after }) => after['impersonation_id'] === 'imp_dead')
    expect(told).toMatchObject([{ outcome: 'failed', after: { cause: 'interrupted', of: 'Grace' } }])
  })

  test('is refused without permission, reason or customer, with nothing sent', async () => {
    const before = asked().length
    const support = await open({}, caller('support'))
    expect([support.statusCode, support.json().permission]).toEqual([403, 'billing.write'])
    expect((await open({ reason: 'short' })).statusCode).toBe(400)
    expect((await open({ customer_id: 'cus_none' })).statusCode).toBe(404)
    expect(asked()).toHaveLength(before)
  })

  test('is refused to a session that is in a view', async () => {
    const before = asked().length
    const mine = caller()
    expect((await (await mine).post('/admin/impersonations/view', { customer_id: customer, reason })).statusCode).toBe(
      200,
    )
    expect((await open({}, mine)).statusCode).toBe(409)
    expect(asked()).toHaveLength(before)
  })

  test('cannot be ended here', async () => {
    const { impersonation } = (await open()).json()
    const answer = await (await caller()).post(`/admin/impersonations/${impersonation.id}/end`, {})
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'Billing portal sessions can only be ended at Stripe',
    ])
  })
})
