import { expect, test } from 'vitest'
import { fieldsOf, type PromiseFields, promiseText, readPromise } from './promise-fields.ts'

const typed = (part: Partial<PromiseFields> = {}): PromiseFields => ({
  percent: '99.9',
  below: ['99.9', '99', ''],
  credit: ['10', '25', ''],
  ...part,
})

test('what was typed is read, empty steps left out', () => {
  expect(readPromise(typed())).toEqual({
    promise: {
      percent: 99.9,
      tiers: [
        { below: 99.9, credit_percent: 10 },
        { below: 99, credit_percent: 25 },
      ],
    },
    problems: {},
  })
})

test.each<[string, Partial<PromiseFields>, string, string]>([
  ['no promise', { percent: '' }, 'percent', 'Enter a percentage below 100, such as 99.9'],
  ['a hundred', { percent: '100' }, 'percent', 'Enter a percentage below 100, such as 99.9'],
  ['four decimals', { percent: '99.9999' }, 'percent', 'Enter a percentage below 100, such as 99.9'],
  ['a step above the promise', { percent: '99.5' }, 'below.0', 'Must not be above the promise'],
  ['steps that rise', { below: ['99', '99.5', ''] }, 'below.1', 'Must be lower than the step before'],
  ['credits that fall', { credit: ['25', '10', ''] }, 'credit.1', 'Must be more than the step before'],
  ['more than everything', { credit: ['10', '101', ''] }, 'credit.1', 'Enter 1 to 100'],
  ['half a step', { credit: ['10', '', ''] }, 'credit.1', 'Enter 1 to 100'],
  ['no step', { below: ['', '', ''], credit: ['', '', ''] }, 'below.0', 'Enter at least one step'],
])('%s is refused', (_, part, field, problem) => {
  const { promise, problems } = readPromise(typed(part))
  expect(promise).toBeUndefined()
  expect((problems as Record<string, string>)[field]).toBe(problem)
})

test('what is promised is typed again as it was; a plan without gets the usual', () => {
  const { promise } = readPromise(typed())
  expect(readPromise(fieldsOf({ promise: promise! })).promise).toEqual(promise)
  expect(fieldsOf({ promise: null }).percent).toBe('99.9')
  expect([promiseText({ promise: null }), promiseText({ promise: promise! })]).toEqual(['None', '99.9% a month'])
})
