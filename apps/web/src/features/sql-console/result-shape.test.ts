import type { SqlColumn } from '@agency/contract/types'
import { describe, expect, test } from 'vitest'
import { chartOf, keysOf, widthsOf } from './result-shape.ts'

const text: SqlColumn = { name: 'status', type: 'text' }
const number: SqlColumn = { name: 'n', type: 'number' }
const day: SqlColumn = { name: 'day', type: 'date' }

test('columns are as wide as their rows, within bounds', () => {
  expect(
    widthsOf(
      [text, number],
      [
        ['active', '1'],
        ['x'.repeat(90), null],
      ],
    ),
  ).toEqual([44, 6])
  expect(keysOf([text, text])).toEqual(['0 status', '1 status'])
})

describe('a chart', () => {
  test.each([
    [
      [text, number],
      [
        ['a', '1.5'],
        [null, null],
      ],
      { kind: 'bars', slots: ['a', 'NULL'], values: [1.5, null] },
    ],
    [
      [day, number],
      [
        ['2026-11-01', '1'],
        ['2026-11-02', '2'],
        ['2026-11-03', 'NaN'],
      ],
      { kind: 'line', values: [1, 2, null] },
    ],
  ])('is drawn of a name and a number', (columns, rows, expected) => {
    expect(chartOf(columns, rows)).toMatchObject(expected)
  })

  test.each([
    [[text], [['a']], 'two columns'],
    [[number, text], [['1', 'a']], 'two columns'],
    [[text, number], [], 'No rows'],
    [
      [text, number],
      [
        ['a', '1'],
        ['a', '2'],
      ],
      'needs each',
    ],
    [[text, number], Array.from({ length: 201 }, (_, n) => [`${n}`, '1']), 'up to 200 rows'],
  ])('is not drawn of anything else', (columns, rows, words) => {
    expect(chartOf(columns, rows)).toContain(words)
  })
})
