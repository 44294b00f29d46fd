import { expect, test } from 'vitest'
import { aLogLine } from '../../../../test/deployments.ts'
import { createLogStore } from './log-store.ts'
import { createHeights, rowsOf } from './wrapped-heights.ts'

test.each([
  ['', 80, 1],
  ['short', 80, 1],
  ['x'.repeat(80), 80, 1],
  ['x'.repeat(81), 80, 2],
  [`${'a '.repeat(60)}`, 80, 2],
  [`\u001b[31m${'x'.repeat(80)}\u001b[0m`, 80, 1],
  [`\u001b[31m${'x'.repeat(81)}\u001b[0m`, 80, 2],
  ['\t\tx', 8, 2],
  ['日本語日本', 8, 2],
  ['not measured yet '.repeat(20), 0, 1],
])('%j on rows of %i characters fills %i', (text, columns, rows) => {
  expect(rowsOf(text, columns)).toBe(rows)
})

function storeOf(texts: string[]) {
  const log = createLogStore(() => new Promise(() => {}))
  const put = (from: number, more: string[]) =>
    log.take({ lines: more.map((text, at) => aLogLine(from + at, text)), total: 30, complete: true })
  put(1, texts)
  return { log, put }
}

test('a group is as high as its lines are long, and a line that was not read yet is one row', () => {
  const { log, put } = storeOf(['x'.repeat(25), 'x'])
  const heights = createHeights(log, 10)
  expect([heights.of(0, 30), heights.of(1, 30), heights.of(2, 25)]).toEqual([240, 200, 100])
  put(3, ['x'.repeat(11)])
  expect(heights.of(0, 30)).toBe(260)
})

test('what was laid out counts, until other lines come', () => {
  const { log, put } = storeOf(['x'])
  const heights = createHeights(log, 10)
  heights.note(0, 222)
  expect(heights.of(0, 30)).toBe(222)
  put(2, ['x'])
  expect(heights.of(0, 30)).toBe(200)
})
