import { describe, expect, test } from 'vitest'
import { answerGraphql, type GraphqlZone } from './index.ts'

const now = Date.parse('2026-11-21T15:20:00Z')
const zones: Record<string, GraphqlZone> = Object.fromEntries(
  ['free', 'pro', 'business', ''].map((plan, index) => [
    `z${index}`,
    { id: `z${index}`, plan, name: `z${index}.example`, createdAt: Date.parse('2025-01-01T00:00:00Z') },
  ]),
)
const ask = (query: string, variables: object = {}, seed = 'seed') =>
  answerGraphql({ now, seed, zone: (id) => zones[id] }, { query, variables })
// The shape of every row depends on the query.
// biome-ignore lint/suspicious/noExplicitAny: see above
const zonesIn = (query: string, variables?: object): any[] => {
  const { data, errors } = ask(query, variables)
  expect(errors).toBeNull()
  // biome-ignore lint/suspicious/noExplicitAny: see above
  return (data as any).viewer.zones
}
const refusal = (query: string, variables?: object) => {
  const { data, errors } = ask(query, variables)
  expect(data).toBeNull()
  return (errors as { message: string; path: string[] | null; extensions: { timestamp: string } }[])[0]!
}

const days = (since: string, until: string) => `query Days($zone: string!) {
  viewer { zones(filter: { zoneTag: $zone }) { zoneTag days: httpRequests1dGroups(
    limit: 400, filter: { date_geq: "${since}", date_leq: "${until}" }, orderBy: [date_ASC]) {
    dimensions { date } sum { requests cachedRequests bytes cachedBytes threats pageViews } uniq { uniques } } } }
}`

describe('daily traffic', () => {
  test('is a row a day, equal each time and on every machine', () => {
    const rows = zonesIn(days('2026-11-01', '2026-11-20'), { zone: 'z0' })[0].days
    expect(rows.map((each: { dimensions: { date: string } }) => each.dimensions.date)).toEqual(
      Array.from({ length: 20 }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`),
    )
    expect(zonesIn(days('2026-11-01', '2026-11-20'), { zone: 'z0' })[0].days).toEqual(rows)
    for (const { sum } of rows) {
      expect(sum.requests).toBeGreaterThan(0)
      expect(sum.cachedRequests).toBeLessThanOrEqual(sum.requests)
      expect(sum.cachedBytes).toBeLessThanOrEqual(sum.bytes)
      expect(sum.threats).toBeLessThanOrEqual(sum.requests)
    }
    expect(ask(days('2026-11-01', '2026-11-20'), { zone: 'z0' }, 'other')).not.toEqual(
      ask(days('2026-11-01', '2026-11-20'), { zone: 'z0' }),
    )
  })

  test('is the sum of its hours, and today ends now', () => {
    const rows = zonesIn(
      `{ viewer { zones(filter: { zoneTag: "z1" }) {
        httpRequests1dGroups(limit: 9, filter: { date_geq: "2026-11-20" }, orderBy: [date_ASC]) { dimensions { date } sum { requests bytes } }
        httpRequests1hGroups(limit: 99, filter: { datetime_geq: "2026-11-20T00:00:00Z", datetime_lt: "2026-11-22T00:00:00Z" },
          orderBy: [datetime_ASC]) { dimensions { datetime } sum { requests bytes } } } } }`,
    )[0]
    const hours: { dimensions: { datetime: string }; sum: { requests: number } }[] = rows.httpRequests1hGroups
    expect(hours).toHaveLength(24 + 16)
    const sum = (day: string) =>
      hours
        .filter(({ dimensions }) => dimensions.datetime.startsWith(day))
        .reduce((all, each) => all + each.sum.requests, 0)
    expect(rows.httpRequests1dGroups.map((each: { sum: { requests: number } }) => each.sum.requests)).toEqual([
      sum('2026-11-20'),
      sum('2026-11-21'),
    ])
  })

  test('counts a visitor of several days once', () => {
    const rows = zonesIn(
      `{ viewer { zones(filter: { zoneTag: "z0" }) {
        total: httpRequests1dGroups(limit: 1, filter: { date_geq: "2026-11-10", date_leq: "2026-11-20" }) { uniq { uniques } }
        days: httpRequests1dGroups(limit: 99, filter: { date_geq: "2026-11-10", date_leq: "2026-11-20" }) {
          dimensions { date } uniq { uniques } } } } }`,
    )[0]
    const each: number[] = rows.days.map((day: { uniq: { uniques: number } }) => day.uniq.uniques)
    const together = rows.total[0].uniq.uniques
    expect(rows.total).toHaveLength(1)
    expect(together).toBeGreaterThan(Math.max(...each))
    expect(together).toBeLessThan(each.reduce((sum, count) => sum + count, 0))
  })
})

test('answers up to ten zones, and leaves out those that the token may not read', () => {
  const query = 'query ($zones: [string!]) { viewer { zones(filter: { zoneTag_in: $zones }) { zoneTag } } }'
  expect(zonesIn(query, { zones: ['z1', 'z_hidden', 'z0'] })).toEqual([{ zoneTag: 'z1' }, { zoneTag: 'z0' }])
  expect(zonesIn(query, { zones: ['z_hidden'] })).toEqual([])
  expect(refusal(query, { zones: Array.from({ length: 11 }, (_, index) => `z${index}`) }).message).toMatch(
    /more than 10/,
  )
})

test('breaks sampled traffic down', () => {
  const rows = zonesIn(
    `{ viewer { zones(filter: { zoneTag: "z2" }) { top: httpRequestsAdaptiveGroups(limit: 3, orderBy: [count_DESC],
      filter: { datetime_geq: "2026-11-14T15:20:00Z", datetime_lt: "2026-11-21T15:20:00Z" }) {
      count avg { sampleInterval } sum { edgeResponseBytes visits } dimensions { clientRequestPath } } } } }`,
  )[0].top
  expect(rows).toHaveLength(3)
  expect(rows[0].avg.sampleInterval).toBeGreaterThan(1)
  const counts = rows.map(({ count }: { count: number }) => count)
  expect(counts).toEqual([...counts].sort((left, right) => right - left))
})

test('tells the limits of the plan', () => {
  const query =
    '{ viewer { zones(filter: { zoneTag: "z0" }) { settings { httpRequests1dGroups { enabled notOlderThan maxDuration maxPageSize } } } } }'
  expect(zonesIn(query)[0].settings).toEqual({
    httpRequests1dGroups: { enabled: true, notOlderThan: 2_678_400, maxDuration: 2_678_400, maxPageSize: 10_000 },
  })
})

const samples = (field: string, since: string, zone = 'z0') =>
  `{ viewer { zones(filter: { zoneTag: "${zone}" }) { httpRequestsAdaptiveGroups(limit: 5,
    filter: { datetime_geq: "${since}", datetime_lt: "2026-11-21T15:20:00Z" }) { count dimensions { ${field} } } } } }`

test.each([
  ['a day too old', days('2026-10-20', '2026-10-21'), 'cannot request data older than 2678400s'],
  ['samples too old', samples('clientCountryName', '2026-11-12T15:20:00Z'), 'cannot request data older than 691200s'],
  [
    'too wide a time',
    samples('clientCountryName', '2026-11-19T15:20:00Z'),
    'cannot request a time range wider than 86400s',
  ],
  [
    'a field of a bigger plan',
    samples('clientRequestPath', '2026-11-21T00:00:00Z'),
    "does not have access to the field 'clientRequestPath'",
  ],
  [
    'the same of a zone without a plan',
    samples('clientRequestPath', '2026-11-21T00:00:00Z', 'z3'),
    'does not have access to the field',
  ],
  ['an unknown field', samples('weather', '2026-11-21T00:00:00Z'), 'unknown field "weather"'],
  [
    'an unknown dataset',
    '{ viewer { zones(filter: { zoneTag: "z0" }) { httpRequests1mGroups { count } } } }',
    'unknown field "httpRequests1mGroups"',
  ],
  [
    'no limit',
    '{ viewer { zones(filter: { zoneTag: "z0" }) { httpRequests1dGroups(filter: { date_geq: "2026-11-20" }) { uniq { uniques } } } } }',
    'limit must be positive',
  ],
  ['a broken query', '{ viewer { zones(', 'Syntax Error'],
  ['a mutation', 'mutation { viewer { zones } }', 'only queries'],
  ['an object without selections', '{ viewer }', 'must have selections'],
])('refuses %s under status 200', (_name, query, message) => {
  const error = refusal(query, { zone: 'z0' })
  expect(error.message).toContain(message)
  expect(error.extensions.timestamp).toBe('2026-11-21T15:20:00.000Z')
})

test('says of a missing variable and of no query at all what is wrong', () => {
  expect(refusal(days('2026-11-01', '2026-11-02')).message).toBe('variable "zone" is required')
  expect(answerGraphql({ now, seed: '', zone: () => undefined }, null).errors).toMatchObject([
    { message: 'must provide query string' },
  ])
})
