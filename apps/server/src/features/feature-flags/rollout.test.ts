import { expect, test } from 'vitest'
import { type Audience, bucketOf, findCircle, namedOf, type Rule, type Subject, verdictOf } from './rollout.ts'

const nobody: Audience = { customers: [], sites: [], plans: [], domains: [] }
type Given = Partial<Omit<Rule, 'always' | 'never'>> & { always?: Partial<Audience>; never?: Partial<Audience> }

const rule = ({ always, never, ...given }: Given = {}): Rule => ({
  ...{ id: 'flag_1', name: 'new-checkout', enabled: true, percentage: 0, by: 'visitor', prerequisites: [], ...given },
  ...{ always: namedOf({ ...nobody, ...always }), never: namedOf({ ...nobody, ...never }) },
})
const subject = (given: Partial<Subject> = {}): Subject => ({
  ...{ key: 'visitor', site: 'site_1', customer: 'cus_1', domain: 'www.shop.example', plans: ['starter'], ranks: {} },
  ...given,
})
const all = (...rules: Rule[]) => new Map(rules.map((one) => [one.id, one]))

test.each<[string, Given, Partial<Subject>, unknown]>([
  ['off for all, whoever is named', { enabled: false, percentage: 100, always: { sites: ['site_1'] } }, {}, 'off'],
  ['on for everyone', { percentage: 100 }, { key: null }, 'everyone'],
  ['on for nobody', { percentage: 0 }, { key: null }, 'nobody'],
  ['a customer that is named', { always: { customers: ['cus_1'] } }, {}, 'always'],
  ['a site that is named', { always: { sites: ['site_1'] } }, {}, 'always'],
  ['a plan that is named', { always: { plans: ['pro', 'starter'] } }, {}, 'always'],
  ['a domain that is named', { always: { domains: ['www.shop.example'] } }, {}, 'always'],
  ['a name below a domain that is named', { always: { domains: ['shop.example'] } }, {}, 'always'],
  ['a domain that only ends alike', { always: { domains: ['op.example'] } }, {}, 'nobody'],
  ['named on both sides', { always: { sites: ['site_1'] }, never: { plans: ['starter'] } }, {}, 'never'],
  ['never, though for everyone', { percentage: 100, never: { domains: ['example'] } }, {}, 'never'],
  ['by site, of no site', { by: 'site', percentage: 50 }, { site: null }, 'unknown'],
  ['by customer, of no customer', { by: 'customer', percentage: 99 }, { customer: null }, 'unknown'],
  ['by revenue, among the lowest', { by: 'revenue', percentage: 10 }, { ranks: { flag_1: 999 } }, 'in'],
  ['by revenue, just above', { by: 'revenue', percentage: 10 }, { ranks: { flag_1: 1000 } }, 'out'],
  ['by revenue, without a place', { by: 'revenue', percentage: 99 }, {}, 'unknown'],
])('%s', (_what, given, who, cause) => {
  const one = rule(given)
  expect(verdictOf(one, subject(who), all(one))).toMatchObject({ cause })
})

test('a part of the visitors needs to know which visitor', () => {
  const one = rule({ percentage: 50 })
  expect(verdictOf(one, subject({ key: null }), all(one))).toBe('key_missing')
})

test('a prerequisite must be on for the same subject, and whoever it is off for hears of it by name', () => {
  const needed = rule({ id: 'flag_2', name: 'new-cart', always: { sites: ['site_1'] } })
  const one = rule({ percentage: 100, prerequisites: ['flag_2'] })
  expect(verdictOf(one, subject(), all(one, needed))).toMatchObject({ value: true })
  const refused = { value: false, cause: 'prerequisite', because: 'new-cart' }
  expect(verdictOf(one, subject({ site: 'site_2' }), all(one, needed))).toEqual(refused)
  expect(verdictOf(one, subject(), all(one))).toMatchObject({ value: false, cause: 'prerequisite' })
  const partly = { ...needed, always: rule().always, percentage: 50 }
  expect(verdictOf(one, subject({ key: null }), all(one, partly))).toBe('key_missing')
})

test('a circle of prerequisites is found, and one that came about all the same ends', () => {
  expect(
    findCircle(
      'a',
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['a']],
      ]),
    ),
  ).toBe('a')
  expect(
    findCircle(
      'a',
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
        ['c', []],
      ]),
    ),
  ).toBeNull()
  const one = rule({ percentage: 100, prerequisites: ['flag_2'] })
  const other = rule({ id: 'flag_2', percentage: 100, prerequisites: ['flag_1'] })
  expect(verdictOf(one, subject(), all(one, other))).toMatchObject({ value: false })
})

const many = 100_000

test.each([1, 10, 25, 50, 90])('%d percent of 100,000 visitors is that within one percent of all', (percentage) => {
  for (const keyOf of [
    (n: number) => `visitor-${n}`,
    (n: number) => String(n),
    (n: number) => `${n * 7919}@example.com`,
  ]) {
    const one = rule({ id: `flag_${percentage}`, percentage })
    let on = 0
    for (let n = 0; n < many; n++) {
      const verdict = verdictOf(one, subject({ key: keyOf(n) }), all())
      if (verdict !== 'key_missing' && verdict.value) on++
    }
    expect(Math.abs(on / many - percentage / 100)).toBeLessThan(0.01)
  }
})

test('flags are independent: a tenth of those who see one sees another at ten percent', () => {
  const [one, other] = [rule({ id: 'flag_a', percentage: 10 }), rule({ id: 'flag_b', percentage: 10 })]
  const sees = (flag: Rule, key: string) => (verdictOf(flag, subject({ key }), all()) as { value: boolean }).value
  const first = Array.from({ length: many }, (_, n) => `v${n}`).filter((key) => sees(one, key))
  const both = first.filter((key) => sees(other, key)).length
  expect(Math.abs(both / first.length - 0.1)).toBeLessThan(0.015)
})

test('a place is the same on every machine and in every version', () => {
  expect(['a', 'visitor-1', 'Grüße'].map((key) => bucketOf('flag_1', key))).toMatchInlineSnapshot(`
    [
      4436,
      5292,
      9931,
    ]
  `)
})
