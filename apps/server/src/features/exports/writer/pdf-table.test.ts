import { describe, expect, test } from 'vitest'
import { createMeasure, linesOf, neededWidth, shareWidths } from './pdf-table.ts'

const measure = createMeasure((character) => (character === ' ' ? 1 : 2))
const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)

describe('columns', () => {
  test('share the page, but no word is broken while there is room', () => {
    const widths = shareWidths([1, 1, 2], [60, 10, 10], 120)
    expect(widths).toEqual([60, 20, 40])
    expect(sum(widths)).toBe(120)
  })

  test('that need more than there is are all narrowed alike', () => {
    expect(shareWidths([1, 5], [100, 300], 200)).toEqual([50, 150])
    // Figures keep their line: it is words that are broken.
    expect(shareWidths([1, 1, 1], [100, 60, 100], 160, [false, true, false])).toEqual([50, 60, 50])
  })

  test('need their longest word, figures and times all of their text', () => {
    const column = { title: '', name: '', width: 1 }
    expect(neededWidth(['a bb', 'ccc d'], { ...column, type: 'text' }, measure)).toBe(6)
    expect(neededWidth(['1/2/2026 3 PM'], { ...column, type: 'instant' }, measure)).toBe(24)
    expect(neededWidth(['x'.repeat(500)], { ...column, type: 'text' }, measure)).toBe(110)
  })
})

describe('the lines of a cell', () => {
  test('end between words, and within one that is wider than the column', () => {
    expect(linesOf('aa bb cc', 9, measure)).toEqual(['aa bb', 'cc'])
    expect(linesOf('aaaaaaa b', 6, measure)).toEqual(['aaa', 'aaa', 'a b'])
    expect(linesOf('', 6, measure)).toEqual([])
  })

  test('say where they were cut, so that a row fits on a page', () => {
    const lines = linesOf('x '.repeat(300), 3, measure)
    expect([lines.length, lines.at(-1)]).toEqual([40, '… (cut)'])
  })
})
