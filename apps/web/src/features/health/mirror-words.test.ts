import { expect, test } from 'vitest'
import { type DriftReport, driftChip, importShare, objectName } from './mirror-words.ts'

const report: DriftReport = {
  id: 'r1',
  kind: 'events',
  state: 'done',
  started_at: '2026-11-21T10:00:00Z',
  finished_at: '2026-11-21T10:00:05Z',
  checked: 100,
  differed: 0,
  repaired: 0,
  error: null,
}

test.each([
  [{}, 'No differences', 'success'],
  [{ differed: 2, repaired: 2 }, '2 fixed', 'warning'],
  [{ differed: 3, repaired: 1 }, '2 not fixed', 'error'],
  [{ state: 'failed', differed: 3 }, 'Failed', 'error'],
  [{ state: 'running', differed: 3 }, 'Running', 'info'],
] as const)('%j is %s', (part, label, tone) => {
  expect(driftChip({ ...report, ...part })).toEqual({ label, tone })
})

const step = (state: 'waiting' | 'running' | 'done') => ({ object: 'customer', state, objects: 1, pages: 1 })

test('an import is done by its steps', () => {
  expect(importShare({ steps: [] })).toBeUndefined()
  expect(importShare({ steps: [step('done'), step('running'), step('waiting'), step('waiting')] })).toBe(0.25)
})

test('names objects as words', () => {
  expect(objectName('payment_method')).toBe('Payment method')
})
