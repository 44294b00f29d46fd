import { expect, test, vi } from 'vitest'
import { startExport } from './start-export.ts'

vi.mock('./export-file.ts', () => {
  throw new Error('Failed to fetch dynamically imported module')
})

test('an export whose code is gone says so, and how to get on', async () => {
  const toast = { success: vi.fn(), info: vi.fn(), error: vi.fn() }
  const order = { kind: 'customers', format: 'csv', parameters: {} } as const
  await startExport(order, ['customer', 'customers'], toast, new AbortController().signal)
  expect(toast.error.mock.calls).toEqual([
    ['The export failed. No file was saved.', { message: 'Reload the page and try again.' }],
  ])
})
