import { expect, test } from 'vitest'
import { differencesOf } from './differences.ts'

const told = (before: unknown, after: unknown) =>
  differencesOf(before, after).map((one) => [one.kind, one.path, one.before, one.after])

test.each([
  ['nothing', null, null, []],
  ['something new', null, { name: 'Ada' }, [['added', 'name', null, 'Ada']]],
  ['something gone', { name: 'Ada' }, null, [['removed', 'name', 'Ada', null]]],
  [
    'values at any depth',
    { a: { b: 1, c: 2 }, same: true },
    { a: { b: 3 }, same: true, d: {} },
    [
      ['changed', 'a.b', 1, 3],
      ['removed', 'a.c', 2, null],
      ['same', 'same', true, true],
      ['added', 'd', null, {}],
    ],
  ],
  ['lists as one value', { of: [1, 2] }, { of: [2, 1] }, [['changed', 'of', [1, 2], [2, 1]]]],
  ['null, which is a value', { a: null }, { a: 0 }, [['changed', 'a', null, 0]]],
  ['something that is no object', 'old', 'new', [['changed', '', 'old', 'new']]],
  [
    'a list instead of an object',
    { a: { b: 1 } },
    { a: [1] },
    [
      ['removed', 'a.b', 1, null],
      ['added', 'a', null, [1]],
    ],
  ],
])('tells %s', (_name, before, after, expected) => {
  expect(told(before, after)).toEqual(expected)
})
