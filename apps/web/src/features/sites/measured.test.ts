import { expect, test } from 'vitest'
import { aSite, unmeasured } from '../../../test/site-fixtures.ts'
import { healthMeasure, measureText, scoreTone, sslMeasure, storageText } from './measured.ts'

const now = Date.parse('2026-11-21T10:04:00Z')

test.each([
  [100, 'success'],
  [90, 'success'],
  [89, 'warning'],
  [70, 'warning'],
  [69, 'error'],
  [0, 'error'],
] as const)('a score of %i is %s', (score, tone) => {
  expect(scoreTone(score)).toBe(tone)
})

test.each([
  [0, '0 GB'],
  [34, '0.033 GB'],
  [512, '0.5 GB'],
  [1280, '1.25 GB'],
  [20_480, '20 GB'],
  [5_242_880, '5,120 GB'],
])('%i MB is %s', (megabytes, text) => {
  expect(storageText(megabytes)).toBe(text)
})

test('tells what was measured, where from and how long ago', () => {
  const text = measureText(healthMeasure(aSite()), now)
  expect(text).toMatch(
    /^HTTP 200\. Answered in 340 ms\. Source: the console's own check, 4 min ago \(11\/2[01]\/2026, /,
  )
  expect(measureText(healthMeasure(aSite(unmeasured)), now)).toBe("Not checked yet. Source: the console's own check")
})

test.each([
  ['2026-11-22T12:00:00Z', /Valid until 11\/2\d\/2026, for 1 day$/],
  ['2027-02-01T12:00:00Z', /Valid until \d+\/\d+\/2027, for 72 days$/],
  ['2026-11-01T12:00:00Z', /Expired on \d+\/\d+\/2026$/],
])('a certificate that ends at %s says so', (ssl_expires_at, words) => {
  expect(sslMeasure(aSite({ ssl_expires_at }), now).what).toMatch(words)
})
