import * as incidentNotices from '@agency/contract/descriptors/incident-notices'
import * as uptimeReports from '@agency/contract/descriptors/uptime-reports'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../../test/render.tsx'
import { saveText } from '../../../lib/download.ts'
import { monthsUntil } from './months.ts'
import { ReportsTab } from './ReportsTab.tsx'

vi.mock('../../../lib/download.ts', () => ({ saveText: vi.fn() }))
beforeEach(() => vi.mocked(saveText).mockReset())

function open(handlers: object = {}, session = testSession()) {
  const reports = mockApi(uptimeReports, {
    getUptimeReport: ({ query }) => ({
      report: {
        ...{ month: String(query['month']), file_name: `uptime-cove-${query['month']}.html`, html: '<!doctype html>' },
        ...{ sites: 2, uptime_percent: 99.95, down_seconds: 1300, outages: 1 },
      },
    }),
  })
  const choices = mockApi(incidentNotices, {
    getMailChoices: () => ({ choices: { takes_notices: true, gets_uptime_report: false, version: 3 } }),
    setMailChoices: () => ({ choices: { takes_notices: true, gets_uptime_report: true, version: 4 } }),
    ...handlers,
  })
  return { reports, choices, ...renderPage(<ReportsTab customerId="cus_1" />, { session }) }
}
const named = (api: ReturnType<typeof mockApi>, name: string) => api.calls().filter((call) => call.name === name)

test('a month is chosen, and its report is saved as a page', async () => {
  const { user, reports } = open()
  const [, last, before] = monthsUntil(Date.now())
  expect(await screen.findByText('99.95%')).toBeTruthy()
  expect(named(reports, 'getUptimeReport')[0]?.query).toMatchObject({ month: last?.value })
  await user.selectOptions(screen.getByLabelText('Month'), before!.label)
  await user.click(await screen.findByRole('button', { name: 'Download report' }))
  await waitFor(() => expect(saveText).toHaveBeenCalledWith(`uptime-cove-${before?.value}.html`, '<!doctype html>'))
})

test('emails are switched on by the version that is shown', async () => {
  const { user, choices } = open()
  await user.click(await screen.findByRole('switch', { name: /^Monthly uptime report/ }))
  expect(await screen.findByText('Monthly uptime report: on')).toBeTruthy()
  expect(named(choices, 'setMailChoices').map(({ body }) => body)).toEqual([{ version: 3, gets_uptime_report: true }])
})

test('a change that failed is told', async () => {
  const { user } = open({ setMailChoices: () => problem(409, { code: 'conflict', detail: 'Somebody was faster' }) })
  await user.click(await screen.findByRole('switch', { name: /^Incident notices/ }))
  expect(await screen.findByText(/Incident notices was not changed/)).toBeTruthy()
})

test('whoever may not write to customers sees how it is', async () => {
  open({}, testSession(['customers.read']))
  expect(await screen.findByRole('switch', { name: /^Incident notices/ })).toHaveProperty('disabled', true)
})

test('the months are those in UTC, the running one marked', () => {
  const months = monthsUntil(Date.parse('2026-01-31T23:59:00Z'), 3)
  expect(months.map(({ value }) => value)).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(months[0]?.label).toBe('January 2026 (so far)')
})
