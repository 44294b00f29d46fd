import { expect, test } from 'vitest'
import { best, rank } from './rank.ts'

test.each([
  ['pay', 'Payment History', '', 0],
  ['payment his', 'Payment History', '', 0],
  ['hist', 'Payment History', '', 1],
  ['hist pay', 'Payment History', '', 1],
  ['billing pay', 'Payment History', 'Billing & Subscriptions', 2],
  ['yment', 'Payment History', '', undefined],
  ['pay nothing', 'Payment History', '', undefined],
  ['backup r', 'Backup/Restore', '', 0],
  ['RESTORE', 'Backup/Restore', '', 1],
  ['', 'Payment History', '', undefined],
  ['  &  ', 'Payment History', '&', undefined],
])('%j in %j with %j', (term, title, words, expected) => {
  expect(rank(term, title, words)).toBe(expected)
})

test('what begins with the term comes first, of equals what was first before', () => {
  const all = ['System Metrics', 'Revenue', 'Metrics', 'System Health', 'Old Metrics'].map((title) => ({
    title,
    words: '',
  }))
  expect(best(all, 'metr').map(({ title }) => title)).toEqual(['Metrics', 'System Metrics', 'Old Metrics'])
})
