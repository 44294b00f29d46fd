import { expect, test } from 'vitest'
import { matches, type RouteRule, type Subject, wayOf } from './routing.ts'

const now = Date.parse('2026-11-21T23:00:00Z')
const route = (part: Partial<RouteRule> = {}): RouteRule => ({
  ...{ min_severity: 'warning', customer_ids: [], plan_ids: [] },
  ...{ quiet_from: null, quiet_until: null, time_zone: null },
  ...part,
})
const subject = (part: Partial<Subject> = {}): Subject => ({ severity: 'error', customers: [], ...part })
const night = { quiet_from: 22 * 60, quiet_until: 7 * 60, time_zone: 'UTC' }
const ada = { id: 'cus_ada', plans: ['starter'] }
const bob = { id: 'cus_bob', plans: ['care'] }

test.each<[string, Partial<RouteRule>, Partial<Subject>, boolean]>([
  ['from its severity on', { min_severity: 'error' }, {}, true],
  ['nothing below it', { min_severity: 'critical' }, {}, false],
  ['what concerns no customer, without conditions', {}, {}, true],
  ['not what concerns no customer, with one', { customer_ids: ['cus_ada'] }, {}, false],
  ['a customer', { customer_ids: ['cus_ada'] }, { customers: [bob, ada] }, true],
  ['no other customer', { customer_ids: ['cus_ada'] }, { customers: [bob] }, false],
  ['a plan', { plan_ids: ['care'] }, { customers: [ada, bob] }, true],
  ['no other plan', { plan_ids: ['care'] }, { customers: [ada] }, false],
  [
    'customer and plan of one customer',
    { customer_ids: ['cus_ada'], plan_ids: ['care'] },
    { customers: [ada, bob] },
    false,
  ],
])('takes %s', (_, part, about, is) => {
  expect(matches(route(part), subject(about))).toBe(is)
})

test.each<[string, RouteRule[], Partial<Subject>, string | null | undefined]>([
  ['no route leads there', [route({ min_severity: 'critical' })], {}, undefined],
  ['no quiet hours', [route()], {}, null],
  ['quiet hours', [route(night)], {}, '2026-11-22T07:00:00.000Z'],
  ['critical at once', [route(night)], { severity: 'critical' }, null],
  ['of two routes the one without', [route(night), route()], {}, null],
  [
    'of two the one that ends first',
    [route(night), route({ ...night, quiet_until: 360 })],
    {},
    '2026-11-22T06:00:00.000Z',
  ],
  ['only those that match', [route(night), route({ min_severity: 'critical' })], {}, '2026-11-22T07:00:00.000Z'],
])('%s', (_, routes, about, way) => {
  const found = wayOf(routes, subject(about), now)
  expect(found instanceof Date ? found.toISOString() : found).toBe(way)
})
