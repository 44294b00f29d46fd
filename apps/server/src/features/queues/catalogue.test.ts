import { expect, test } from 'vitest'
import { denialsOf, isDue, pauseDenial } from './catalogue.ts'

const now = Date.parse('2026-11-25T12:00:00Z')
const at = (status: Parameters<typeof denialsOf>[0]['status'], next_run_at: string | null = null) => ({
  status,
  isDue: isDue({ status, next_run_at }, now),
})
const allowed = (job: Parameters<typeof denialsOf>[0], guard?: 'money' | 'webhooks') => {
  const denials = denialsOf(job, guard ? { guard } : {})
  return Object.entries(denials)
    .filter(([, reason]) => reason === null)
    .map(([name]) => name.replace('_denial', ''))
}

test.each([
  [at('failed'), ['retry', 'edit', 'delete'], ['retry']],
  [at('cancelled'), ['retry', 'edit', 'delete'], ['retry']],
  [at('pending', '2026-11-25T12:00:01Z'), ['retry', 'edit', 'delete'], ['retry']],
  [at('pending', '2026-11-25T12:00:00Z'), ['edit', 'delete'], []],
  [at('processing'), [], []],
  [at('completed'), ['delete'], []],
])('of %j what may be done, and of one that moves money', (job, usual, money) => {
  expect(allowed(job)).toEqual(usual)
  expect(allowed(job, 'webhooks')).toEqual(usual)
  expect(allowed(job, 'money')).toEqual(money)
})

test('nothing is done with a job that may be of any kind', () => {
  expect(Object.values(denialsOf(at('failed'), undefined))).not.toContain(null)
})

test('queues of webhooks and money are never paused', () => {
  expect(pauseDenial({})).toBeNull()
  expect(pauseDenial({ guard: 'money' })).toBe('Queues that move money cannot be paused')
  expect(pauseDenial({ guard: 'webhooks' })).toBe('Queues of webhooks cannot be paused')
  expect(pauseDenial(undefined)).not.toBeNull()
})
