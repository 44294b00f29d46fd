import { expect, test } from 'vitest'
import { parseJsonPath, valueAt } from './json-path.ts'

const document = { a: { b: [{ c: 'deep' }, 2] }, 'x-y': null, list: [], __proto__: { hidden: 1 } }

test.each([
  ['$', document],
  ['$.a.b[0].c', 'deep'],
  ['$.a.b[1]', 2],
  ['$.x-y', null],
  ['$.a.b[7]', undefined],
  ['$.a[0]', undefined],
  ['$.list.length', undefined],
  ['$.constructor', undefined],
  ['$.hidden', undefined],
])('%s finds %o', (path, value) => expect(valueAt(document, parseJsonPath(path)!)).toEqual(value))

test.each(['', 'a', '$.', '$..a', '$[', '$[]', '$[a]', '$[-1]', '$[12345]', '$.a b', '$[*]', '$.1', '$a'])(
  '%s is no path',
  (path) => expect(parseJsonPath(path)).toBeNull(),
)

test('takes time that grows with the length of the path only', () => {
  const long = `$${'.a[0]'.repeat(100_000)}`
  const started = performance.now()
  expect(parseJsonPath(long)).toHaveLength(200_000)
  expect(parseJsonPath(`${long}!`)).toBeNull()
  expect(performance.now() - started).toBeLessThan(2000)
})
