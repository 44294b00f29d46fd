import { expect, test } from 'vitest'
import { bodyOf, incidentProblems, splitProblems, suggestedSeverity } from './incident-fields.ts'

test.each([
  ['', 'Enter a title'],
  ['   ', 'Enter a title'],
  ['x'.repeat(201), 'A title has 200 characters at most'],
  ['Shop is slow', undefined],
])('the title “%s” is told: %s', (title, problem) => {
  expect(incidentProblems({ title, severity: 'sev3' }).title).toBe(problem)
})

test('sends the title without its spaces', () => {
  expect(bodyOf({ title: ' Shop is slow ', severity: 'sev2' })).toEqual({ title: 'Shop is slow', severity: 'sev2' })
})

test.each([
  ['critical', 50, 'sev2'],
  ['warning', 2, 'sev2'],
  ['critical', 1, 'sev3'],
  ['error', 0, 'sev3'],
  ['warning', 1, 'sev4'],
  ['info', 0, 'sev4'],
] as const)('an alert of severity %s about %i sites suggests %s', (severity, affected_sites, suggested) => {
  expect(suggestedSeverity({ severity, affected_sites })).toBe(suggested)
})

test.each([
  [[], 'Choose at least one alert'],
  [['a1', 'a2'], 'Leave at least one alert in this incident'],
  [['a1'], undefined],
])('splitting %j of two is told: %s', (ids, problem) => {
  expect(splitProblems({ title: 'Another', ids }, 2).ids).toBe(problem)
})
