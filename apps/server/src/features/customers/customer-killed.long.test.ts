import { randomUUID } from 'node:crypto'
import type { CustomerForm } from '@agency/contract/types'
import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJob } from '../../../test/context.ts'
import { type Console, openConsole, startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { request } from '../../../test/request.ts'
import { dieAfterTheAnswer } from './test/dying-console.ts'

let sandbox: Sandbox
let stop: () => Promise<void>
let console_: Console

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({ size: { customers: 1 } }))
  console_ = await openConsole(sandbox)
})

afterAll(async () => {
  await console_?.close()
  await stop?.()
})

const hourMs = 3_600_000
const ada = () => request(console_.ctx).as('admin')
type AtStripe = { id: string; name: string; phone: string | null }
const atStripe = async (name: string) =>
  ((await sandbox.control.dump('customer')) as AtStripe[]).filter((customer) => customer.name === name)

async function entriesOf(...ids: string[]): Promise<string[]> {
  const rows = await console_.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'actor_name', 'resource_id', 'after', 'outcome'])
    .where('resource_id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_name, resource_id, after, outcome }) => {
    const { state, started_by } = after as { state: string; started_by?: string }
    return [action, resource_id, state, outcome, actor_name, started_by].filter(Boolean).join(' ')
  })
}

/** What the next start does, as soon as what the dead process held is free. */
async function startAgain(afterMs: number): Promise<void> {
  console_.clock.advance(afterMs)
  await runJob(console_.ctx, 'billing.resolve-actions')
  console_.clock.advance(-afterMs)
}

const die = (save: Parameters<typeof dieAfterTheAnswer>[2]['save']) =>
  dieAfterTheAnswer(sandbox, console_.database.connectionString, { save, person: 'Grace' })

// After a day the provider may have forgotten the key: then the customer is only looked for.
test.each([
  ['at the next start', hourMs / 30],
  ['two days later', 48 * hourMs],
])(
  'a console killed between the answer and the record has the new customer once %s, with who asked',
  async (_, afterMs) => {
    const [name, key] = [`Ada ${randomUUID()}`, randomUUID()]
    expect(await die({ create: { name, metadata: { vip: 'yes' } }, key })).toBe('SIGKILL')
    const [made] = await atStripe(name)
    expect(await entriesOf(key)).toEqual([`customer.create ${key} requested done Grace`])
    await startAgain(afterMs)
    expect(await atStripe(name)).toEqual([made])
    expect((await ada().get(`/stripe/customers/${made!.id}`)).json().customer).toMatchObject({ name })
    expect(await entriesOf(key, made!.id)).toEqual([
      `customer.create ${key} requested done Grace`,
      `customer.create ${made!.id} done done billing.resolve-actions Grace`,
    ])
    const { notifications } = (await ada().get('/notifications')).json()
    expect(notifications[0]).toMatchObject({
      title: 'The creation of a customer succeeded',
      link: `/admin/customers?open=${made!.id}`,
    })
    const { rows } = await console_.ctx.pool.query('select payload from money_actions where id = $1', [key])
    expect(rows).toEqual([{ payload: {} }])
    await startAgain(afterMs + hourMs)
    expect(await entriesOf(key, made!.id)).toHaveLength(2)
    expect(await atStripe(name)).toHaveLength(1)
  },
)

test('a console killed so after a change has it once, with both sides and who asked', async () => {
  const { customer } = (await ada().post('/stripe/customers', { name: `Ada ${randomUUID()}` })).json()
  const { form } = (await ada().get(`/stripe/customers/${customer.id}/form`)).json() as { form: CustomerForm }
  const update = { version: form.version, phone: '7' }
  expect(await die({ update, id: customer.id, key: randomUUID() })).toBe('SIGKILL')
  // Somebody changes it at Stripe meanwhile: the answer to the repeated call is older than that.
  await fetch(`${sandbox.stripe.baseUrl}/v1/customers/${customer.id}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.stripe.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'email=new@example.com',
  })
  await startAgain(hourMs)
  expect((await ada().get(`/stripe/customers/${customer.id}`)).json().customer).toMatchObject({
    ...{ phone: '7', email: 'new@example.com' },
  })
  expect((await entriesOf(customer.id)).slice(1)).toEqual([
    `customer.update ${customer.id} requested done Grace`,
    `customer.update ${customer.id} done done billing.resolve-actions Grace`,
  ])
})

test('a customer that Stripe never heard of is told as not added', async () => {
  const [name, key] = [`Ada ${randomUUID()}`, randomUUID()]
  sandbox.faults.next('stripe', 'customers.create', { connection: 'destroy' }, null)
  sandbox.faults.next('stripe', 'customers.list', { connection: 'destroy' }, null)
  const lost = await ada().post('/stripe/customers', { name }, { 'idempotency-key': key })
  expect(lost.json()).toMatchObject({ status: 504, code: 'outcome_unknown' })
  sandbox.faults.clear()
  await startAgain(48 * hourMs)
  expect(await atStripe(name)).toEqual([])
  expect(await entriesOf(key)).toEqual([
    `customer.create ${key} requested done Test admin`,
    `customer.create ${key} failed failed billing.resolve-actions Test admin`,
  ])
  expect((await ada().post('/stripe/customers', { name }, { 'idempotency-key': key })).json()).toMatchObject({
    detail: expect.stringMatching(/^Stripe does not show the change\./),
  })
})
