import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockExports } from '../../../test/exports.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { paths } from '../../lib/paths.ts'
import { readState } from '../../lib/search-state.ts'
import { ChurnedExport, RenewalsExport, ReportExport } from './ReportExport.tsx'
import { reportsSearch } from './reports-search.ts'

const state = readState(reportsSearch, new URLSearchParams('range=last_7_days&currency=eur'))
const range = { range: 'last_7_days', compare: 'previous' }

test.each([
  [paths.revenueReport, { kind: 'report_revenue', parameters: range }],
  [paths.reports, { kind: 'report_revenue', parameters: range }],
  [paths.customersReport, { kind: 'report_customers', parameters: { ...range, currency: 'eur' } }],
  [paths.usageReport, { kind: 'report_usage', parameters: range }],
  [paths.performanceReport, { kind: 'report_performance', parameters: range }],
])('%s orders what is shown, in the range that is shown', async (path, order) => {
  const { ordered } = mockExports()
  const { user } = renderPage(<ReportExport path={path} state={state} />)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const formats = await screen.findAllByRole('menuitem')
  expect(formats.map(({ textContent }) => textContent)).toEqual(['CSV', 'JSON', 'Excel (XLSX)', 'PDF'])
  await user.click(screen.getByRole('menuitem', { name: 'PDF' }))
  await waitFor(() => expect(ordered()).toEqual([{ ...order, format: 'pdf' }]))
})

test('who left and who renews are lists of their own', async () => {
  const { ordered } = mockExports()
  const { user } = renderPage(
    <>
      <ChurnedExport state={state} currency="eur" />
      <RenewalsExport currency="eur" />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Export customers who left' }))
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }))
  await user.click(screen.getByRole('button', { name: 'Export renewals' }))
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }))
  await waitFor(() =>
    expect(ordered()).toEqual([
      { kind: 'report_churned', format: 'csv', parameters: { ...range, currency: 'eur' } },
      { kind: 'report_renewals', format: 'csv', parameters: { currency: 'eur' } },
    ]),
  )
})

test('whoever lacks the permission of the rows is told which, and cannot press', () => {
  mockExports()
  renderPage(
    <>
      <ReportExport path={paths.usageReport} state={state} />
      <ChurnedExport state={state} currency="usd" />
      <RenewalsExport currency="usd" />
    </>,
    { session: testSession(['analytics.read']) },
  )
  const of = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  for (const [name, permission] of [
    ['Export', 'billing.read'],
    ['Export customers who left', 'customers.read'],
    ['Export renewals', 'billing.read'],
  ] as const) {
    expect([of(name).disabled, of(name).title]).toEqual([true, expect.stringContaining(permission)])
  }
})
