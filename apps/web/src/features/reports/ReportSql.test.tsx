import * as reportSql from '@agency/contract/descriptors/report-sql'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { paths } from '../../lib/paths.ts'
import { readState } from '../../lib/search-state.ts'
import { ReportSql } from './ReportSql.tsx'
import { reportsSearch } from './reports-search.ts'

const state = readState(reportsSearch, new URLSearchParams('range=custom&from=2026-11-01&to=2026-11-20&currency=eur'))
const figures = [{ figure: 'Total Revenue', sql: 'select 1' }]

test('a figure is copied, and opened in the query console', async () => {
  const api = mockApi(reportSql, { getReportSql: () => ({ figures }) })
  const { user } = renderPage(<ReportSql path={paths.customersReport} state={state} />)
  const written = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(screen.getByRole('button', { name: 'Copy as SQL' }))
  const item = await screen.findByRole('menuitem', { name: 'Total Revenue' })
  expect(item.getAttribute('href')).toBe('/admin/tools/database?query=select%201')
  expect(api.calls()[0]?.query).toMatchObject({ report: 'customers', from: '2026-11-01', currency: 'eur' })
  await user.click(item)
  await waitFor(() => expect(written).toHaveBeenCalledWith('select 1'))
  expect(await screen.findByText('Copied Total Revenue as SQL')).toBeTruthy()
})

test('says so where the figures could not be loaded, or may not be asked', async () => {
  mockApi(reportSql, { getReportSql: () => problem(503, { detail: 'The database cannot be reached.' }) })
  const { user, unmount } = renderPage(<ReportSql path={paths.revenueReport} state={state} />)
  await user.click(screen.getByRole('button', { name: 'Copy as SQL' }))
  expect(await screen.findByText('The figures could not be loaded')).toBeTruthy()
  unmount()
  renderPage(<ReportSql path={paths.revenueReport} state={state} />, { session: testSession(['analytics.read']) })
  expect(screen.getByRole('button', { name: 'Copy as SQL' })).toHaveProperty('disabled', true)
})
