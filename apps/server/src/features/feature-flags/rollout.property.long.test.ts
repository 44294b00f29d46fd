import { rolloutUnits } from '@agency/contract/feature-flags'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namedOf, type Rule, type Subject, verdictOf } from './rollout.ts'

const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd.example', 'x.d.example'), { maxLength: 3 })
const audience = fc.record({ customers: some, sites: some, plans: some, domains: some }).map(namedOf)
const rule: fc.Arbitrary<Rule> = fc.record({
  id: fc.constantFrom('flag_1', 'flag_2'),
  name: fc.constant('flag'),
  enabled: fc.boolean(),
  percentage: fc.integer({ min: 0, max: 100 }),
  by: fc.constantFrom(...rolloutUnits),
  always: audience,
  never: audience,
  prerequisites: fc.constant([]),
})
const word = fc.constantFrom('a', 'b', 'c', 'd.example', 'x.d.example', 'z')
const subject: fc.Arbitrary<Subject> = fc.record({
  key: fc.option(fc.string(), { nil: null }),
  site: fc.option(word, { nil: null }),
  customer: fc.option(word, { nil: null }),
  domain: fc.option(word, { nil: null }),
  plans: fc.array(word, { maxLength: 3 }),
  ranks: fc.record({ flag_1: fc.integer({ min: 0, max: 9999 }) }, { requiredKeys: [] }) as fc.Arbitrary<
    Record<string, number>
  >,
})
const none = new Map<string, Rule>()
const isOn = (one: Rule, who: Subject) => {
  const verdict = verdictOf(one, who, none)
  return verdict !== 'key_missing' && verdict.value
}

test('whoever sees a flag still does when its percentage grows', () => {
  fc.assert(
    fc.property(rule, subject, fc.integer({ min: 0, max: 100 }), (one, who, more) => {
      const wider = { ...one, percentage: Math.max(one.percentage, more) }
      expect(isOn(one, who) && !isOn(wider, who)).toBe(false)
    }),
    { numRuns: 20_000 },
  )
})

test('the same question has the same answer, and nobody sees what is off or is never theirs', () => {
  fc.assert(
    fc.property(rule, subject, (one, who) => {
      expect(verdictOf(one, who, none)).toEqual(verdictOf({ ...one }, { ...who }, none))
      if (!one.enabled) expect(isOn(one, who)).toBe(false)
      if (who.site !== null && one.never.sites.has(who.site)) expect(isOn(one, who)).toBe(false)
      else if (one.enabled && one.percentage === 100 && !namesAny(one.never, who)) expect(isOn(one, who)).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})

const namesAny = (named: Rule['never'], { site, customer, plans, domain }: Subject): boolean =>
  named.sites.has(site ?? '') ||
  named.customers.has(customer ?? '') ||
  plans.some((plan) => named.plans.has(plan)) ||
  [...named.domains].some((one) => domain === one || domain?.endsWith(`.${one}`))
