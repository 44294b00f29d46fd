import type { FeatureFlag, FlagChange } from '@agency/contract/feature-flags'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'
import { makeSite } from '../../../test/sites.ts'
import { makeFlag } from './test/samples.ts'

const now = '2026-11-25T12:00:00Z'
let t: TestContext
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ now })
  root = request(t.ctx).as('super_admin')
})
beforeEach(() => t.clock.set(now))
afterAll(() => t?.close())

const flagOf = async (id: string): Promise<FeatureFlag> =>
  (await root.get('/features')).json().flags.find((flag: FeatureFlag) => flag.id === id)
const change = (id: string, body: object) => root.patch(`/features/${id}`, body)
const history = async (id: string): Promise<FlagChange[]> => (await root.get(`/features/${id}/history`)).json().changes
const viewers = async (id: string, query = '') => (await root.get(`/features/${id}/viewers?limit=100${query}`)).json()
const entries = async (id: string) =>
  (
    await t.ctx.pool.query(
      `select action, actor_name, before, after from audit_entries where resource_type = 'feature_flag' and resource_id = $1 order by id`,
      [id],
    )
  ).rows

let customers = 0
async function makeCustomer(mrr = 0, plan = 'prod_starter'): Promise<string> {
  const id = `cus_flags_${++customers}`
  await insertRows(t.ctx.pool, 'customers', [{ id, name: `Customer ${customers}`, email: `${id}@example.com` }])
  if (mrr > 0)
    await insertRows(t.ctx.pool, 'subscriptions', [
      { id: `sub_${id}`, customer_id: id, product_id: plan, mrr, amount: mrr },
    ])
  return id
}

describe('a flag', () => {
  test('is added switched off, with all that is specified, and leaves an entry', async () => {
    const flag = await makeFlag(root, { name: 'new-checkout', description: 'The new checkout' })
    expect(flag).toMatchObject({
      ...{ name: 'new-checkout', description: 'The new checkout', enabled: false, rollout_percentage: 100 },
      ...{ rollout_by: 'visitor', kind: 'release', owner: null, guard: null, stage: 'new', stale: null, version: 1 },
      ...{
        created_at: '2026-11-25T12:00:00.000Z',
        updated_at: '2026-11-25T12:00:00.000Z',
        created_by: 'Test super_admin',
      },
    })
    expect(await entries(flag.id)).toMatchObject([
      {
        action: 'feature_flag.create',
        actor_name: 'Test super_admin',
        before: null,
        after: { name: 'new-checkout', version: 1 },
      },
    ])
  })

  test('is switched on and off: its time of change moves, and both are written down', async () => {
    const { id, version } = await makeFlag(root)
    t.clock.advance(60_000)
    const on = (await change(id, { version, enabled: true })).json().flag
    expect(on).toMatchObject({ enabled: true, stage: 'everyone', version: 2, updated_at: '2026-11-25T12:01:00.000Z' })
    expect((await change(id, { enabled: false })).json().flag).toMatchObject({
      enabled: false,
      stage: 'off',
      version: 3,
    })
    expect((await entries(id)).map(({ action }) => action)).toEqual([
      ...['feature_flag.create', 'feature_flag.update', 'feature_flag.update'],
    ])
  })

  test('set to what it is changes nothing', async () => {
    const { id, version } = await makeFlag(root, { enabled: true })
    expect((await change(id, { version, enabled: true })).json().flag.version).toBe(version)
    expect(await entries(id)).toHaveLength(1)
  })

  test('of an older version is refused, but to switch it off', async () => {
    const { id, version } = await makeFlag(root, { enabled: true })
    await change(id, { version, description: 'Newer' })
    const late = await change(id, { version, rollout_percentage: 10 })
    expect([late.statusCode, late.json().parameter]).toEqual([409, 'version'])
    const none = await change(id, { enabled: true })
    expect([none.statusCode, none.json().parameter]).toEqual([400, 'version'])
    expect((await change(id, { enabled: false })).json().flag.enabled).toBe(false)
  })

  test.each([
    [{ name: 'spaces in it' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'ok-1', rollout_percentage: 101 }, 'rollout_percentage'],
    [{ name: 'ok-1', rollout_percentage: 12.5 }, 'rollout_percentage'],
    [{ name: 'ok-1', always: { customers: ['cus_nobody'] } }, 'always.customers'],
    [{ name: 'ok-1', never: { domains: ['not a domain'] } }, 'never.domains.0'],
    [{ name: 'ok-1', prerequisites: ['flag_nothing'] }, 'prerequisites'],
    [{ name: 'ok-1', owner_id: 'nobody' }, 'owner_id'],
    [{ name: 'ok-1', guard: { sites: null, errors: null, refunds: null, switches_off: true } }, 'guard'],
  ])('%j is refused', async (terms, parameter) => {
    const answer = await root.post('/features', terms)
    expect([answer.statusCode, answer.json().parameter?.replace('body.', '')]).toEqual([400, parameter])
  })

  test('keeps its name for itself, even archived', async () => {
    const { id, name } = await makeFlag(root)
    await root.post(`/features/${id}/archive`)
    const again = await root.post('/features', { name })
    expect([again.statusCode, again.json().parameter]).toEqual([409, 'name'])
  })

  test('has an owner, who stays named', async () => {
    const person = await createPerson(t, { role: 'support' })
    const { id } = await makeFlag(root, { owner_id: person.id })
    expect((await flagOf(id)).owner).toEqual({ id: person.id, name: person.name })
    const found = await root.get(`/features/audience?kind=owners&search=${encodeURIComponent(person.name)}`)
    expect(found.json().found).toContainEqual({ id: person.id, name: person.name, detail: person.email })
  })

  test('is for super admins only', async () => {
    const { id } = await makeFlag(root)
    for (const role of ['admin', 'support', 'readonly'] as const) {
      const caller = request(t.ctx).as(role)
      for (const answer of [
        await caller.get('/features'),
        await caller.post('/features', { name: 'mine' }),
        await caller.patch(`/features/${id}`, { enabled: false }),
        await caller.get(`/features/${id}/viewers`),
        await caller.post(`/features/${id}/archive`),
      ])
        expect([role, answer.statusCode]).toEqual([role, 403])
    }
  })
})

describe('prerequisites', () => {
  test('make no circle, and keep what is needed from being archived', async () => {
    const first = await makeFlag(root)
    const second = await makeFlag(root, { prerequisites: [first.id] })
    const third = await makeFlag(root, { prerequisites: [second.id] })
    const circle = await change(first.id, { version: 1, prerequisites: [third.id] })
    expect([circle.statusCode, circle.json().parameter]).toEqual([400, 'prerequisites'])
    expect((await change(first.id, { version: 1, prerequisites: [first.id] })).statusCode).toBe(400)
    const archived = await root.post(`/features/${first.id}/archive`)
    expect([archived.statusCode, archived.json().detail]).toEqual([
      409,
      `${second.name} needs this flag. Take it out there first.`,
    ])
  })

  test('of two at once make no circle either', async () => {
    const [one, other] = [await makeFlag(root), await makeFlag(root)]
    const answers = await Promise.all([
      change(one.id, { version: 1, prerequisites: [other.id] }),
      change(other.id, { version: 1, prerequisites: [one.id] }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
  })
})

describe('history', () => {
  test('tells each change in words, and one press brings an earlier version back', async () => {
    const customer = await makeCustomer()
    const { id } = await makeFlag(root, { rollout_percentage: 10 })
    await change(id, { version: 1, enabled: true, rollout_percentage: 20 })
    await change(id, { version: 2, always: { customers: [customer] }, rollout_by: 'site' })
    const [newest, , first] = await history(id)
    expect(newest).toMatchObject({ action: 'update', version: 3, can_revert: false })
    expect(newest?.lines).toEqual(['Percentage of sites', `Always on: added customer Customer ${customers}`])
    expect(first).toMatchObject({ action: 'create', version: 1, can_revert: true, lines: [] })
    const reverted = await root.post(`/features/${id}/revert`, { to: 1, version: 3 })
    expect(reverted.json().flag).toMatchObject({
      ...{ enabled: false, rollout_percentage: 10, rollout_by: 'visitor', version: 4 },
      always: { customers: [], sites: [], plans: [], domains: [] },
    })
    expect((await history(id))[0]).toMatchObject({
      action: 'revert',
      lines: ['Back to version 1', 'Switched off', 'Rollout 20% → 10%', 'Percentage of visitors', expect.any(String)],
    })
  })

  test('refuses a version that there never was, and one over a newer state', async () => {
    const { id } = await makeFlag(root)
    expect((await root.post(`/features/${id}/revert`, { to: 7, version: 1 })).json().parameter).toBe('to')
    await change(id, { version: 1, enabled: true })
    expect((await root.post(`/features/${id}/revert`, { to: 1, version: 1 })).statusCode).toBe(409)
  })

  test('of an archived flag stays, and it comes back switched off', async () => {
    const { id } = await makeFlag(root, { enabled: true })
    expect((await root.post(`/features/${id}/archive`)).json().flag).toMatchObject({ stage: 'archived' })
    expect((await change(id, { version: 2, enabled: true })).statusCode).toBe(409)
    expect((await root.post(`/features/${id}/archive`)).statusCode).toBe(200)
    expect((await root.post(`/features/${id}/restore`)).json().flag).toMatchObject({ enabled: false, stage: 'off' })
    expect((await history(id)).map(({ action }) => action)).toEqual(['restore', 'archive', 'create'])
  })
})

describe('who sees it now', () => {
  test('lists every site with the reason, by name, in pages', async () => {
    const [owner, payer] = [await makeCustomer(), await makeCustomer(5000, 'prod_pro')]
    await insertRows(t.ctx.pool, 'products', [{ id: 'prod_pro', name: 'Professional Care' }])
    const named = await makeSite(root, { site_name: 'AA named', customer_id: owner })
    const planned = await makeSite(root, { site_name: 'AB planned', customer_id: payer })
    const barred = await makeSite(root, { site_name: 'AC barred' })
    await makeSite(root, { site_name: 'AD other' })
    const { id } = await makeFlag(root, {
      ...{ enabled: true, rollout_percentage: 0 },
      always: { sites: [named.id, barred.id], plans: ['prod_pro'] },
      never: { domains: [barred.domain] },
    })
    const all = await viewers(id)
    const shown = all.viewers
      .slice(0, 4)
      .map(({ site_name, sees, reason }: Record<string, string>) => [site_name, sees, reason])
    expect(shown).toEqual([
      ['AA named', 'yes', 'Always on for it'],
      ['AB planned', 'yes', 'Always on for it'],
      ['AC barred', 'no', 'Never on for it'],
      ['AD other', 'no', 'Only for those who are named'],
    ])
    expect(all.counts).toMatchObject({ yes: 2, part: 0 })
    expect((await viewers(id, '&sees=yes')).total).toBe(2)
    expect((await viewers(id, `&search=${planned.domain}`)).viewers).toMatchObject([{ id: planned.id }])
    const page = await viewers(id, `&starting_after=${named.id}`)
    expect(page.viewers[0]).toMatchObject({ id: planned.id })
    expect((await root.get(`/features/${id}/viewers?starting_after=nothing`)).statusCode).toBe(400)
  })

  test('says of a part of the visitors that it is a part', async () => {
    const site = await makeSite(root)
    const { id } = await makeFlag(root, { enabled: true, rollout_percentage: 30 })
    expect((await viewers(id, `&search=${site.domain}`)).viewers).toMatchObject([
      { sees: 'part', reason: '30% of its visitors' },
    ])
  })

  test('by revenue goes from those who pay the least, and whoever is in stays in', async () => {
    const own = await createTestContext({ now })
    const caller = request(own.ctx).as('super_admin')
    try {
      const paying = [900, 100, 500, 300].map((mrr) => ({ id: `cus_${mrr}`, mrr }))
      await insertRows(
        own.ctx.pool,
        'customers',
        paying.map(({ id }) => ({ id, name: id })),
      )
      await insertRows(
        own.ctx.pool,
        'subscriptions',
        paying.map(({ id, mrr }) => ({ id: `sub_${id}`, customer_id: id, mrr, amount: mrr })),
      )
      for (const { id } of paying) await makeSite(caller, { site_name: id, customer_id: id })
      await makeSite(caller, { site_name: 'of nobody' })
      const { id } = await makeFlag(caller, { enabled: true, rollout_percentage: 50, rollout_by: 'revenue' })
      const seeing = async () =>
        (await caller.get(`/features/${id}/viewers?sees=yes`))
          .json()
          .viewers.map(({ site_name }: { site_name: string }) => site_name)
          .sort()
      expect(await seeing()).toEqual(['cus_100', 'cus_300'])
      await own.ctx.pool.query(`update subscriptions set mrr = 9900 where customer_id = 'cus_100'`)
      await caller.patch(`/features/${id}`, { version: 1, rollout_percentage: 75 })
      expect(await seeing()).toEqual(['cus_100', 'cus_300', 'cus_500'])
    } finally {
      await own.close()
    }
  })
})

test('an audience is searched by kind, whatever is typed', async () => {
  const customer = await makeCustomer()
  const found = async (kind: string, search: string) =>
    (await root.get(`/features/audience?kind=${kind}&search=${encodeURIComponent(search)}`)).json().found
  expect(await found('customers', `${customer}@`)).toMatchObject([{ id: customer }])
  expect(await found('customers', '%')).toEqual([])
  const site = await makeSite(root)
  expect(await found('sites', site.domain)).toEqual([{ id: site.id, name: site.site_name, detail: site.domain }])
})
