import { expect, test } from 'vitest'
import { aRule } from '../../../test/alert-fixtures.ts'
import { differences } from '../../lib/form/differences.ts'
import {
  bodyOf,
  fieldsOf,
  isWithin,
  muteChoices,
  type RuleFields,
  ruleProblems,
  thresholdOf,
  withUnit,
} from './rule-fields.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const later = '2026-11-22T10:00:00Z'
const changesOf = (rule = aRule(), typed: Partial<RuleFields> = {}) =>
  differences(bodyOf({ ...fieldsOf(rule, now), ...typed }, now), bodyOf(fieldsOf(rule, now), now))

test('sends what was changed and nothing else', () => {
  expect(changesOf()).toBeNull()
  expect(changesOf(aRule(), { threshold: '95' })).toEqual({ threshold: 95 })
  expect(changesOf(aRule(), { isEnabled: false, severity: 'critical' })).toEqual({
    is_enabled: false,
    severity: 'critical',
  })
})

test('mutes for a length of time, and ends it', () => {
  expect(changesOf(aRule(), { mute: '1d' })).toEqual({ muted_until: '2026-11-22T10:00:00.000Z' })
  expect(changesOf(aRule(), { mute: '30d' })).toEqual({ muted_until: '2026-12-21T10:00:00.000Z' })
  const muted = aRule({ muted_until: later })
  expect(changesOf(muted)).toBeNull()
  expect(changesOf(muted, { mute: 'none' })).toEqual({ muted_until: null })
})

test('what was muted until a moment that is over is not muted', () => {
  const over = aRule({ muted_until: '2026-11-21T09:59:59Z' })
  expect(fieldsOf(over, now).mute).toBe('none')
  expect(muteChoices(over, now).map(({ value }) => value)).toEqual(['none', '1h', '1d', '7d', '30d'])
  expect(muteChoices(aRule({ muted_until: later }), now)[1]?.value).toBe('keep')
})

test.each([
  ['90', 90],
  [' 2.5 ', 2.5],
  ['-1', -1],
  ['', null],
  ['1e3', null],
  ['9,0', null],
  ['NaN', null],
])('“%s” is read as %s', (typed, value) => {
  expect(thresholdOf(typed)).toBe(value)
})

test('a figure beyond the limits of the rule is refused', () => {
  const { threshold } = aRule()
  const problem = { threshold: 'Enter a number from 50 to 99%' }
  for (const typed of ['49.9', '99.1', 'much', '']) {
    expect(ruleProblems({ ...fieldsOf(aRule(), now), threshold: typed }, threshold)).toEqual(problem)
  }
  for (const typed of ['50', '99']) {
    expect(ruleProblems({ ...fieldsOf(aRule(), now), threshold: typed }, threshold)).toEqual({})
  }
  expect(ruleProblems(fieldsOf(aRule({ threshold: null }), now), null)).toEqual({})
  expect(isWithin(90, null)).toBe(false)
})

test.each([
  [90, '%', '90%'],
  [2000, 'ms', '2,000 ms'],
  [3, 'failed payments', '3 failed payments'],
  [1, '', '1'],
])('%d in “%s” reads %s', (value, unit, text) => {
  expect(withUnit(value, unit)).toBe(text)
})
