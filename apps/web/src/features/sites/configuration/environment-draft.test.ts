import { expect, test } from 'vitest'
import {
  bodyOf,
  differenceOf,
  differenceText,
  type EnvironmentDraft,
  isChanged,
  pastedVariables,
  problemOf,
  unchanged,
} from './environment-draft.ts'

const names = ['API_KEY', 'MODE']
const row = (name: string, value = 'v', id = name) => ({ id, name, value })
const draft = (part: Partial<EnvironmentDraft>): EnvironmentDraft => ({ ...unchanged, ...part })

test('a variable that is kept is not sent', () => {
  expect(bodyOf(unchanged, names)).toEqual({ set: {}, remove: [] })
})

test('new values, new variables and removals make the new environment', () => {
  const changes = draft({ changed: { MODE: '' }, removed: ['API_KEY'], added: [row(' NEW '), row('', '', 'blank')] })
  expect(bodyOf(changes, names)).toEqual({ set: { MODE: '', NEW: 'v' }, remove: ['API_KEY'] })
  expect(differenceOf(changes, names)).toEqual({ added: ['NEW'], removed: ['API_KEY'], changed: ['MODE'] })
  expect(differenceText(differenceOf(changes, names))).toBe('1 added, 1 changed, 1 removed')
})

test('what somebody else removed meanwhile is neither changed nor removed', () => {
  const changes = draft({ changed: { MODE: 'x' }, removed: ['API_KEY'] })
  expect(isChanged(changes, ['OTHER'])).toBe(false)
  expect(bodyOf(changes, ['OTHER'])).toEqual({ set: {}, remove: [] })
})

test.each([
  [row('', 'v'), 'Enter a name'],
  [row('1ST'), 'Use letters, digits and underscores; no digit first'],
  [row('WITH-DASH'), 'Use letters, digits and underscores; no digit first'],
  [row('MODE'), 'MODE already exists'],
  [row('API_KEY'), 'API_KEY is marked for removal: keep it and change the value'],
  [row('FINE'), undefined],
  [row('', ''), undefined],
])('%o: %s', (variable, problem) => {
  expect(problemOf(variable, draft({ removed: ['API_KEY'], added: [variable] }), names)).toBe(problem)
})

test('two new variables of one name are refused', () => {
  const [first, second] = [row('A', 'v', '1'), row('A', 'v', '2')]
  expect(problemOf(first, draft({ added: [first, second] }), names)).toBe('A already exists')
})

test.each([
  [
    'A=1\n# note\nexport B="two words"\n\nC=a=b',
    [
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'a=b'],
    ],
  ],
  ['A=', [['A', '']]],
])('reads the pasted lines %j', (text, pairs) => {
  expect(pastedVariables(text)?.map(({ name, value }) => [name, value])).toEqual(pairs)
})

test.each(['just a value', '', 'A=1\nno pair'])('%j is no list of variables', (text) => {
  expect(pastedVariables(text)).toBeUndefined()
})
