import { expect, test } from 'vitest'
import { bytesText, daysText, figureOf } from './words.ts'

test.each([
  ['2026-10-01', '2026-10-31', 'October 2026'],
  ['2028-02-01', '2028-02-29', 'February 2028'],
  ['2026-11-15', '2026-11-21', 'November 15 – 21, 2026'],
  ['2026-11-01', '2026-11-07', 'November 1 – 7, 2026'],
  ['2026-11-29', '2026-12-05', 'November 29 – December 5, 2026'],
  ['2026-12-27', '2027-01-02', 'December 27, 2026 – January 2, 2027'],
])('%s to %s is %s', (first, last, text) => {
  expect(daysText({ first, last })).toBe(text)
})

test.each([
  [{ current: 110, compared: 100, percent: 10, reason: null }, '110', '+10%, 100 in the previous period'],
  [{ current: 90, compared: 100, percent: -10, reason: null }, '90', '-10%, 100 in the previous period'],
  [{ current: 5, compared: 0, percent: null, reason: null }, '5', '0 in the previous period'],
  [{ current: 0, compared: null, percent: null, reason: null }, '0', 'unknown for the previous period'],
  [{ current: null, compared: 3, percent: null, reason: 'Nothing was checked' }, 'Unknown', 'Nothing was checked'],
])('%j is %s with the note %s', (change, value, note) => {
  expect(figureOf('Sites', change, { format: String })).toEqual({ label: 'Sites', value, note })
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1536, '1.5 KB'],
  [1024 ** 3 * 12.34, '12.3 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
