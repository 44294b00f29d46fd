import * as exports_ from '@agency/contract/descriptors/exports'
import type { Exported } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anExport, mockExports } from '../../../test/exports.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage } from '../../../test/render.tsx'
import { ExportsTab } from './ExportsTab.tsx'
import { filtersText } from './export-words.ts'

const listed: Exported[] = [
  anExport({ id: 'exp_1', parameters: { status: 'active', sort: '-name' } }),
  anExport({
    id: 'exp_2',
    title: 'Payments',
    kind: 'payments',
    format: 'xlsx',
    state: 'running',
    rows_done: 400,
    rows_total: 1000,
  }),
  anExport({
    id: 'exp_3',
    title: 'Sites',
    kind: 'sites',
    format: 'pdf',
    state: 'failed',
    reason: 'The database cannot be reached.',
  }),
  anExport({ id: 'exp_4', title: 'Audit log', kind: 'audit', format: 'jsonl', state: 'expired' }),
]

function open(query = '') {
  const mocked = mockExports()
  const api = mockApi(exports_, {
    listExports: ({ query: sent }) => ({
      exports: listed.filter(({ state }) => !sent['state'] || state === sent['state']),
      ...{ has_more: false, total: null },
    }),
    cancelExport: () => ({ export: anExport({ state: 'cancelled' }) }),
  })
  return { ...mocked, api, ...renderPage(<ExportsTab />, { route: `/admin/reports?tab=exports${query}` }) }
}
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')!

test('shows what was exported, by which filters, and how far each is', async () => {
  open()
  const ready = within(await rowOf('Customers'))
  expect(ready.getByText('status: active')).toBeTruthy()
  expect(ready.getByText('Ready')).toBeTruthy()
  const running = within(await rowOf('Payments'))
  expect(running.getByRole('progressbar', { name: 'Rows written' })).toHaveProperty('value', 400)
  expect(within(await rowOf('Sites')).getByText('The database cannot be reached.')).toBeTruthy()
})

test.each([
  [{ range: 'last_30_days', compare: 'previous' }, 'range: last 30 days · compare: previous'],
  [{ range: 'custom', from: '2026-10-01', to: '2026-10-31' }, '10/1/2026 – 10/31/2026'],
  [
    { start_date: '2026-10-05', end_date: '2026-10-05', time_zone: 'Europe/Berlin' },
    '10/5/2026 · time zone: Europe/Berlin',
  ],
  [{ filters: { status: 'past_due', from: '2026-10-05' } }, 'status: past due · from: 10/5/2026'],
  [{ search: 'snow_white', customer_id: 'cus_abc' }, 'search: snow_white · customer id: cus_abc'],
])('says what %j chose in words', (parameters, words) => {
  expect(filtersText(anExport({ parameters }))).toBe(words)
})

test('downloads by a link of its own', async () => {
  const { user, followed } = open()
  await user.click(await screen.findByRole('button', { name: 'Download Customers as CSV' }))
  await waitFor(() => expect(followed).toHaveLength(1))
})

test('says why a file could not be downloaded', async () => {
  const { user } = open()
  mockApi(exports_, { linkExport: () => problem(409, { detail: 'There is no file: the export is expired' }) })
  await user.click(await screen.findByRole('button', { name: 'Download Customers as CSV' }))
  expect(await screen.findByText('The file could not be downloaded.')).toBeTruthy()
  expect(screen.getByText('There is no file: the export is expired')).toBeTruthy()
})

test('cancels what runs, and orders again what is gone or failed', async () => {
  const { user, api, ordered } = open()
  await user.click(await screen.findByRole('button', { name: 'Cancel Payments as XLSX' }))
  expect(await screen.findByText('Export cancelled')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'cancelExport')?.params).toEqual({ id: 'exp_2' })
  await user.click(screen.getByRole('button', { name: 'Try again: Sites as PDF' }))
  await waitFor(() => expect(ordered()).toEqual([{ kind: 'sites', format: 'pdf', parameters: {} }]))
})

test('narrows to a state', async () => {
  open('&state=failed')
  await screen.findByText('Sites')
  expect(screen.queryByText('Customers')).toBeNull()
})

test('says what to do when nothing was exported', async () => {
  mockApi(exports_, { listExports: () => ({ exports: [], has_more: false, total: null }) })
  renderPage(<ExportsTab />, { route: '/admin/reports?tab=exports' })
  expect(await screen.findByText('No exports yet')).toBeTruthy()
})
