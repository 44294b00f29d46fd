import * as billing from '@agency/contract/descriptors/billing'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import type { CreditLine, SlaCredit } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { incidentDetailsOf } from '../../../../test/alert-fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../../test/render.tsx'
import { IncidentPage } from '../IncidentPage.tsx'
import { formulaText } from './credit-words.ts'

const line: CreditLine = {
  ...{ subscription_id: 'sub_1', plan_name: 'Starter Care', month: '2026-11', site: 'harbour.example' },
  ...{ incident_down_seconds: 2700, earlier_down_seconds: 0, counted_seconds: 842_400, uptime_percent: 99.679 },
  ...{ promise_version: 1, promised_percent: 99.9, credit_percent: 10, earlier_credit_percent: 0 },
  ...{ price: 4900, given_before: 0, amount: 490 },
}
const owed: SlaCredit = {
  ...{ customer_id: 'cus_1', name: 'Harbour Bakery', state: 'proposed', reason: null, amount: 490, currency: 'usd' },
  ...{ lines: [line], action_id: null, given_at: null, given_by: null },
}
const nothing: SlaCredit = {
  ...{ ...owed, customer_id: 'cus_2', name: 'Cove', state: 'none', reason: 'No plan with an uptime promise' },
  ...{ amount: 0, currency: null, lines: [] },
}

function open(handlers: object = {}, session = testSession()) {
  mockApi(incidents, { getIncident: () => ({ incident: incidentDetailsOf() }) })
  mockApi(billing, { listMoneyActions: () => ({ actions: [] }) })
  const api = mockApi(slaCredits, {
    getSlaCredits: () => ({ credits: [owed, nothing], is_over: true, measured_by: 'looks' }),
    giveSlaCredit: () => ({ credit: { ...owed, state: 'given' } }),
    ...handlers,
  })
  const page = renderPage(<IncidentPage />, { route: '/admin/incidents/inc_12?tab=credits', session })
  return { ...page, given: () => api.calls().filter(({ name }) => name === 'giveSlaCredit') }
}

test('shows what is owed with its evidence, and why nothing is', async () => {
  open()
  const evidence = within(await screen.findByRole('region', { name: 'Evidence for Harbour Bakery' }))
  expect(evidence.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    ...['Starter Care', '2026-11', 'harbour.example', '45 min', 'none', '99.679%', '99.9%'],
    ...['10% of $49.00', '$4.90'],
  ])
  expect(screen.getByText('No plan with an uptime promise')).toBeTruthy()
})

test('credits on one press, once', async () => {
  const { user, given } = open()
  await user.click(await screen.findByRole('button', { name: 'Credit $4.90 to Harbour Bakery' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Credit $4.90' }))
  await user.dblClick(dialog.getByRole('button', { name: 'Credit $4.90' }))
  expect(await screen.findByText('Credited $4.90 to Harbour Bakery')).toBeTruthy()
  expect(given().map(({ body }) => body)).toEqual([{ customer_id: 'cus_1', amount: 490, currency: 'usd' }])
})

test('a refusal stays in the dialog', async () => {
  const detail = 'The figures have changed: $5.00 is owed now. Nothing was credited.'
  const { user } = open({ giveSlaCredit: () => problem(409, { code: 'conflict', detail }) })
  await user.click(await screen.findByRole('button', { name: 'Credit $4.90 to Harbour Bakery' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Credit $4.90' }))
  expect(await dialog.findByText(detail)).toBeTruthy()
})

test('before the incident is over, and from whole hours, says so', async () => {
  const blocked = { ...owed, state: 'blocked', reason: 'The incident is ongoing' }
  open({ getSlaCredits: () => ({ credits: [blocked], is_over: false, measured_by: 'hours' }) })
  expect(await screen.findByText(/^You can give credits once the incident is resolved/)).toBeTruthy()
  expect(screen.getByText(/Downtime is rounded to hours/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Credit / })).toBeNull()
})

test('whoever may not move money may look; whoever may not see it is told so', async () => {
  const { unmount } = open({}, testSession(['sites.read', 'billing.read']))
  expect(await screen.findByRole('button', { name: 'Credit $4.90 to Harbour Bakery' })).toHaveProperty('disabled', true)
  unmount()
  open({}, testSession(['sites.read']))
  expect(await screen.findByText('You may not see credits')).toBeTruthy()
})

test('the formula says what was there before', () => {
  expect(formulaText({ ...line, credit_percent: 25, earlier_credit_percent: 10, given_before: 490 }, 'usd')).toBe(
    '25% − 10% of $49.00, at most $44.10 left this month',
  )
})
