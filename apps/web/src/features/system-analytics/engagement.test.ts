import { expect, test } from 'vitest'
import { engagementText, engagementTone } from './engagement.ts'

test.each([
  [10.1, 'success'],
  [10, 'warning'],
  [5.1, 'warning'],
  [5, 'error'],
  [0, 'error'],
] as const)('%d events per visitor are shown as %s', (engagement, tone) => {
  expect(engagementTone(engagement)).toBe(tone)
})

test('engagement has one decimal at most', () => {
  expect(engagementText(12.345)).toBe('12.3 per visitor')
})
