import type { Setting } from '@agency/contract/types'
import { expect, test } from 'vitest'
import { aSetting } from '../../../test/system-fixtures.ts'
import { changedOf, isOvertaken, readDraft, readField, withField, withoutKey } from './draft.ts'

const minutes = aSetting({ kind: 'number', value: 30, default_value: 30, min: 5, max: 30, source: 'default' })
const people = aSetting({ key: 'audit.head_recipients', kind: 'emails', value: ['a@example.com'], source: 'database' })
const secret = aSetting({ key: 'stripe.secret_key', kind: 'secret', value: null, is_set: true, source: 'database' })

test.each<[Setting, string, unknown]>([
  [minutes, ' 20 ', { value: 20 }],
  [minutes, '4', { problem: 'Enter a whole number from 5 to 30' }],
  [minutes, '1e1', { problem: 'Enter a whole number from 5 to 30' }],
  [minutes, '', { value: null }],
  [
    people,
    'a@example.com, b@example.com\nc@example.com',
    { value: ['a@example.com', 'b@example.com', 'c@example.com'] },
  ],
  [people, 'a@example.com b', { problem: 'b is not an email address' }],
  [people, '', { value: [] }],
  [secret, ' sk_test_1 ', { value: 'sk_test_1' }],
])('reads a field of %#', (setting, field, read) => {
  expect(readField(setting, field)).toEqual(read)
})

test('a field that says what is saved is no change', () => {
  const draft = withField({}, minutes, '20')
  expect(changedOf([minutes], draft)).toEqual([minutes])
  expect(withField(draft, minutes, '30')).toEqual({})
  expect(withField({}, people, 'a@example.com')).toEqual({})
  expect(withField({}, secret, '')).toEqual({})
})

test('the way back to the default is a change only where something was saved', () => {
  expect(withField({}, minutes, null)).toEqual({})
  expect(withField({}, secret, null)).toEqual({ 'stripe.secret_key': { field: null, version: secret.version } })
})

test('knows when somebody else saved the setting meanwhile', () => {
  const draft = withField({}, minutes, '20')
  const newer = { ...minutes, version: minutes.version + 1 }
  expect(isOvertaken(minutes, draft)).toBe(false)
  expect(isOvertaken(newer, draft)).toBe(true)
  // Typing on does not settle it.
  expect(isOvertaken(newer, withField(draft, newer, '21'))).toBe(true)
})

test('sends what can be read, and names what cannot', () => {
  const draft = withField(withField({}, minutes, '99'), people, 'b@example.com')
  expect(readDraft([minutes, people], draft)).toEqual({
    problems: { [minutes.key]: 'Enter a whole number from 5 to 30' },
    changes: { 'audit.head_recipients': ['b@example.com'] },
    versions: { [minutes.key]: minutes.version, 'audit.head_recipients': people.version },
  })
  expect(readDraft([minutes, people], withoutKey(draft, minutes.key)).problems).toEqual({})
})
