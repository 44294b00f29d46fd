import { apiKeyPermissions } from '@agency/contract/permissions'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

type Found = {
  exact: boolean
  hits: { kind: string; id: string; title: string; detail: string | null; path: string }[]
}

let t: TestContext
const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`

const hostile = `<img src=x onerror="alert(1)"> O'Hara %_\\`

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  const { pool } = t.ctx
  await insertRows(pool, 'products', [
    { id: 'prod_bakery', name: 'Bakery plan' },
    { id: 'prod_harbour', name: 'Harbour plan' },
  ])
  await insertRows(pool, 'customers', [
    { id: 'cus_Ada1', name: 'Ada Lovelace', email: 'ada@engines.example', company: 'Analytical', created_at: at(1) },
    { id: 'cus_Ada12', name: 'Zelda Quist', email: null, company: 'Quarry & Sons', created_at: at(2) },
    { id: 'cus_mail', name: ' ', email: 'only@mail.example', company: null, created_at: at(3) },
    { id: 'cus_bad', name: hostile, email: null, company: null, created_at: at(4) },
    { id: 'cus_gone', name: 'Wilma Gone', email: null, created_at: at(5), deleted_at: at(6) },
    { id: 'cus_kanji', name: '田中太郎', email: null, created_at: at(7) },
    // Newer ones that hold the word somewhere: the one that is called so comes first all the same.
    ...Array.from({ length: 8 }, (_, index) => ({
      ...{ id: `cus_many${index}`, name: `The Émile shop ${index}`, created_at: at(10 + index) },
    })),
    { id: 'cus_emile', name: 'Emile', created_at: at(1) },
    { id: 'cus_emile2', name: 'émile b', created_at: at(1) },
  ])
  await insertRows(pool, 'subscriptions', [
    { id: 'sub_ada', customer_id: 'cus_Ada1', product_id: 'prod_bakery', amount: 4900, created_at: at(2) },
    { id: 'sub_mail', customer_id: 'cus_mail', product_id: 'prod_harbour', status: 'past_due', created_at: at(3) },
    { id: 'sub_dead', customer_id: 'cus_Ada1', product_id: 'prod_bakery', deleted_at: at(3) },
  ])
  await insertRows(pool, 'payments', [
    {
      ...{ id: 'pi_ada', customer_id: 'cus_Ada1', amount: 1500, currency: 'jpy', latest_charge_id: 'ch_last' },
      ...{ description: 'Relocation fee', created_at: at(4), status: 'failed' },
    },
    { id: 'pi_ada2', customer_id: 'cus_Ada1', amount: 4900, created_at: at(5) },
    { id: 'ch_alone', customer_id: null, description: 'Walk-in sale', created_at: at(6) },
    { id: 'pi_dead', customer_id: 'cus_Ada1', description: 'Relocation again', deleted_at: at(3) },
  ])
  await insertRows(pool, 'charges', [
    { id: 'ch_first', payment_id: 'pi_ada', status: 'failed' },
    { id: 'ch_last', payment_id: 'pi_ada', status: 'failed' },
  ])
  await insertRows(pool, 'invoices', [
    { id: 'in_paid', number: 'AE-0007', customer_id: 'cus_Ada1', subscription_id: 'sub_ada', amount_due: 4900 },
    { id: 'in_open', number: null, customer_id: 'cus_Ada1', subscription_id: 'sub_ada', status: 'open' },
    { id: 'in_loose', customer_id: 'cus_Ada1', status: 'open' },
    { id: 'in_nobody', customer_id: null, status: 'void' },
  ])
  await insertRows(pool, 'invoice_payments', [{ id: 'inpay_1', invoice_id: 'in_paid', payment_id: 'pi_ada2' }])
  await insertRows(pool, 'checkout_sessions', [
    {
      ...{ id: 'cs_bread', customer_id: 'cus_Ada1', customer_email: 'Buyer@shop.example', amount_total: 9900 },
      ...{ metadata: { site_name: 'Bröt & Söhne' }, created_at: at(8) },
    },
    { id: 'cs_open', status: 'open', payment_status: 'unpaid', amount_total: null, metadata: { siteName: '東京花屋' } },
    { id: 'cs_card', mode: 'setup', metadata: { site_name: 'Bröt again' } },
    { id: 'cs_percent', metadata: { business_name: '100%_real' } },
  ])
  for (const [name, email, active] of [
    ['Grace Hopper', 'grace@agency.example', true],
    ['Hedy Lamarr', 'hedy@agency.example', false],
  ] as const) {
    const { id } = await createPerson(t)
    await t.ctx.db.updateTable('users').set({ name, email, is_active: active }).where('id', '=', id).execute()
  }
})
afterAll(() => t.close())
afterEach(() => vi.restoreAllMocks())

type Who = Parameters<ReturnType<typeof request>['as']>[0]

async function find(term: string, who: Who = 'super_admin'): Promise<Found> {
  const response = await request(t.ctx)
    .as(who)
    .get(`/search?q=${encodeURIComponent(term)}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

const names = ({ hits }: Found) => hits.map(({ kind, id }) => `${kind} ${id}`)
const ofKind = (kind: string, { hits }: Found) => hits.filter((hit) => hit.kind === kind)

test('tells of each kind what it is and where it is shown', async () => {
  const { exact, hits } = await find('lovelace')
  expect(exact).toBe(false)
  expect(hits).toEqual([
    {
      ...{ kind: 'customer', id: 'cus_Ada1', title: 'Ada Lovelace', detail: 'ada@engines.example · Analytical' },
      ...{ path: '/admin/customers?open=cus_Ada1', status: 'active', deleted: false },
    },
    {
      ...{ kind: 'subscription', id: 'sub_ada', title: 'Ada Lovelace', detail: 'Bakery plan', status: 'active' },
      ...{
        path: '/admin/subscriptions?open=sub_ada',
        amount: 4900,
        currency: 'usd',
        created_at: '2026-11-02T10:00:00Z',
      },
    },
    {
      ...{ kind: 'payment', id: 'pi_ada2', title: 'Ada Lovelace', detail: null, status: 'succeeded' },
      ...{ path: '/admin/payments?open=pi_ada2', amount: 4900, currency: 'usd', created_at: '2026-11-05T10:00:00Z' },
    },
    {
      ...{ kind: 'payment', id: 'pi_ada', title: 'Ada Lovelace', detail: 'Relocation fee', status: 'failed' },
      ...{ path: '/admin/payments?open=pi_ada', amount: 1500, currency: 'jpy', created_at: '2026-11-04T10:00:00Z' },
    },
  ])
})

test.each([
  ['a name, whatever its case', 'aDA LoVe', 'customer cus_Ada1'],
  ['an email', 'ada@engines', 'customer cus_Ada1'],
  ['a company', 'quarry & s', 'customer cus_Ada12'],
  ['three characters of another script', '田中太', 'customer cus_kanji'],
  ['text that is special in patterns', '%_\\', 'customer cus_bad'],
  ['markup, as the text that it is', '<img src=x', 'customer cus_bad'],
  ['a plan', 'harbour', 'subscription sub_mail'],
  ["a subscription's customer", 'only@mail', 'subscription sub_mail'],
  ['a description', 'relocat', 'payment pi_ada'],
  ['a description of a payment without a customer', 'walk-in', 'payment ch_alone'],
  ["a person's name", 'hopper', 'user %'],
  ["a person's email", 'hedy@agency', 'user %'],
  ['the number of an invoice', 'AE-0007', 'invoice in_paid'],
  ['the beginning of its number, whatever its case', 'ae-0', 'invoice in_paid'],
  ['the beginning of the id of an invoice', 'in_pa', 'invoice in_paid'],
  ['the name of a site', 'bröt', 'purchase cs_bread'],
  ['the name of a site in another script', '京花屋', 'purchase cs_open'],
  ['the email of who bought', 'buyer@SHOP', 'purchase cs_bread'],
  ['what is special in patterns in the name of a site', '0%_r', 'purchase cs_percent'],
  ['the beginning of the id of a checkout', 'cs_br', 'purchase cs_bread'],
  ['the beginning of a raw id', 'sub_ma', 'subscription sub_mail'],
  ["the beginning of a customer's id", 'cus_Ad', 'customer cus_Ada12'],
  ['the beginning of the id of a payment', 'pi_ad', 'payment pi_ada2'],
])('finds by %s', async (_what, term, expected) => {
  const found = names(await find(term))
  expect(found.map((name) => (expected.endsWith('%') ? name.replace(/ .*/, ' %') : name))).toContain(expected)
})

test('a person is told by name, email and whether they may sign in', async () => {
  const { hits } = await find('agency.example')
  expect(hits).toMatchObject([
    { kind: 'user', title: 'Grace Hopper', detail: 'grace@agency.example', is_active: true },
    { kind: 'user', title: 'Hedy Lamarr', detail: 'hedy@agency.example', is_active: false },
  ])
  expect(hits[0]?.path).toBe(`/admin/users?open=${hits[0]?.id}`)
})

test('whoever has no name is called by email, else by id', async () => {
  expect((await find('only@mail')).hits[0]).toMatchObject({ title: 'only@mail.example', detail: null })
  expect((await find('walk-in')).hits[0]).toMatchObject({ title: 'No customer', detail: 'Walk-in sale' })
})

test('a customer who was deleted at the provider is marked', async () => {
  expect((await find('wilma')).hits).toMatchObject([{ id: 'cus_gone', deleted: true }])
})

test('of many, those whose name begins with the term come first, then the newest; five in all', async () => {
  expect(ofKind('customer', await find('émile')).map(({ id }) => id)).toEqual([
    ...['cus_emile', 'cus_emile2', 'cus_many7', 'cus_many6', 'cus_many5'],
  ])
})

test.each([
  ['cus_Ada1', 'customer cus_Ada1', '/admin/customers?open=cus_Ada1'],
  ['sub_ada', 'subscription sub_ada', '/admin/subscriptions?open=sub_ada'],
  ['pi_ada', 'payment pi_ada', '/admin/payments?open=pi_ada'],
  ['ch_last', 'payment pi_ada', '/admin/payments?open=pi_ada'],
  ['ch_first', 'payment pi_ada', '/admin/payments?open=pi_ada'],
  ['ch_alone', 'payment ch_alone', '/admin/payments?open=ch_alone'],
  ['in_paid', 'invoice in_paid', '/admin/payments?open=pi_ada2&view=invoices'],
  ['in_open', 'invoice in_open', '/admin/subscriptions?open=sub_ada&view=invoices'],
  ['in_loose', 'invoice in_loose', '/admin/payments?customer=cus_Ada1'],
  ['in_nobody', 'invoice in_nobody', '/admin/payments'],
  ['cs_bread', 'purchase cs_bread', '/admin/purchases?open=cs_bread'],
])('the id %s names its object, which comes first and once', async (id, expected, path) => {
  const found = await find(` ${id} `)
  expect(found.exact).toBe(true)
  expect(names(found)[0]).toBe(expected)
  expect(found.hits[0]?.path).toBe(path)
  expect(new Set(names(found)).size).toBe(found.hits.length)
})

test('an invoice is called by its number and tells who owes it', async () => {
  expect((await find('in_paid')).hits[0]).toMatchObject({
    ...{ title: 'AE-0007', detail: 'Ada Lovelace', status: 'paid', amount: 4900, currency: 'usd' },
  })
  expect((await find('in_open')).hits[0]).toMatchObject({ title: 'in_open', status: 'open' })
})

test('a purchase is called by its site and tells who bought it and what became of it', async () => {
  const { hits } = await find('bröt')
  expect(hits).toEqual([
    {
      ...{ kind: 'purchase', id: 'cs_bread', title: 'Bröt & Söhne', detail: 'Buyer@shop.example', status: 'completed' },
      ...{ path: '/admin/purchases?open=cs_bread', amount: 9900, currency: 'usd', created_at: '2026-11-08T10:00:00Z' },
    },
  ])
  expect((await find('東京花')).hits).toMatchObject([{ id: 'cs_open', status: 'pending', amount: null, detail: null }])
})

test('takes what is special in patterns literally in ids too', async () => {
  expect(await find('cus_%')).toEqual({ exact: false, hits: [] })
  expect(await find('cus__da')).toEqual({ exact: false, hits: [] })
})

test.each(['cs_card', 'sub_dead', 'pi_dead', 'cus_nobody', 'pi_', 'relocation again', 'zzz nothing', '\0\0\0'])(
  'answers %j, of which there is none, with nothing',
  async (term) => {
    expect(await find(term)).toEqual({ exact: false, hits: [] })
  },
)

test('leaves out the kinds that the caller may not read, without an error and without a denial', async () => {
  const kinds = async (term: string, who: Who) => [...new Set((await find(term, who)).hits.map(({ kind }) => kind))]
  expect(await kinds('lovelace', ['customers.read'])).toEqual(['customer'])
  expect(await kinds('lovelace', ['billing.read'])).toEqual(['subscription', 'payment'])
  expect(await kinds('lovelace', ['admin.users'])).toEqual([])
  expect(await kinds('hopper', ['admin.users'])).toEqual(['user'])
  expect(await kinds('hopper', ['customers.read', 'billing.read'])).toEqual([])
  expect(await kinds('ae-0007', ['customers.read', 'admin.users'])).toEqual([])
  expect(await kinds('bröt', ['customers.read', 'admin.users'])).toEqual([])
  for (const id of ['sub_ada', 'pi_ada', 'ch_last', 'in_paid', 'cs_bread'])
    expect(await find(id, ['customers.read', 'admin.users']), id).toEqual({ exact: false, hits: [] })
  expect((await find('cus_Ada1', ['billing.read'])).exact).toBe(false)
  expect(await find('lovelace', [])).toEqual({ exact: false, hits: [] })
  const denials = await t.ctx.db
    .selectFrom('audit_entries')
    .select('id')
    .where('action', '=', 'access.denied')
    .execute()
  expect(denials).toEqual([])
})

test('asks the database once, and not at all for whoever may read nothing', async () => {
  const asked = vi.spyOn(t.ctx.pool, 'query')
  const connected = vi.spyOn(t.ctx.pool, 'connect')
  await find('lovelace')
  await find('ch_last')
  expect(asked).toHaveBeenCalledTimes(2)
  await find('lovelace', ['analytics.read'])
  await find('cus_Ada1', ['billing.read'])
  expect(asked).toHaveBeenCalledTimes(2)
  expect(connected.mock.calls.length).toBeLessThanOrEqual(2)
})

test.each([
  ['', 'q'],
  ['q=', 'q'],
  ['q=ab', 'q'],
  ['q=%20ab%20', 'q'],
  ['q=%F0%9F%99%82%F0%9F%99%82', 'q'],
  [`q=${'x'.repeat(201)}`, 'q'],
])('refuses %j', async (query, parameter) => {
  const response = await request(t.ctx).as('super_admin').get(`/search?${query}`)
  expect(response.json()).toMatchObject({ status: 400, code: 'invalid_request', parameter })
})

test('refuses a parameter that it does not know', async () => {
  expect((await request(t.ctx).as('super_admin').get('/search?q=lovelace&limit=9')).statusCode).toBe(400)
})

test('needs a key', async () => {
  expect((await request(t.ctx).anonymous().get('/search?q=lovelace')).statusCode).toBe(401)
})

test('answers each scope of an API key with its own kinds', async () => {
  const found = await Promise.all(apiKeyPermissions.map(async (scope) => (await find('lovelace', [scope])).hits.length))
  expect(Object.fromEntries(apiKeyPermissions.map((scope, index) => [scope, found[index]]))).toEqual({
    ...{ 'customers.read': 1, 'sites.read': 0, 'analytics.read': 0, 'billing.read': 3 },
  })
})
