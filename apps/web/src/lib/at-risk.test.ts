import { expect, test } from 'vitest'
import { affectedText } from './at-risk.ts'

test.each([
  [0, 0, ''],
  [1, 0, '1 site'],
  [1, 1, '1 site · 1 customer'],
  [1250, 2, '1,250 sites · 2 customers'],
])('%i sites and %i customers read “%s”', (affected_sites, affected_customers, text) => {
  expect(affectedText({ affected_sites, affected_customers })).toBe(text)
})
