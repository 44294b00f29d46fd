import * as registrations from '@agency/contract/descriptors/registrations'
import type { SiteRegistration } from '@agency/contract/types'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage } from '../../../../test/render.tsx'
import { RegistrationPanel } from './RegistrationPanel.tsx'

const known: SiteRegistration = {
  ...{ domain: 'harbour.example', expires_at: '2027-02-01T00:00:00Z', days_left: 68, registrar: 'Names Ltd' },
  ...{ checked_at: '2026-11-25T10:00:00Z', problem: null },
}

function open(answer: () => { registration: SiteRegistration } | Response) {
  mockApi(registrations, { getSiteRegistration: answer })
  return renderPage(<RegistrationPanel siteId="site_1" />)
}

test.each([
  [68, '68 days left'],
  [1, '1 day left'],
  [-1, 'Expired'],
])('with %i days left', async (days_left, words) => {
  open(() => ({ registration: { ...known, days_left } }))
  expect(await screen.findByText(words)).toBeTruthy()
  expect(screen.getByText('harbour.example')).toBeTruthy()
  expect(screen.getByText('Names Ltd')).toBeTruthy()
})

test('says that it is unknown, and why', async () => {
  const unknown = { domain: null, expires_at: null, days_left: null, registrar: null, checked_at: null }
  open(() => ({ registration: { ...unknown, problem: 'The registry of .example tells no dates' } }))
  expect(await screen.findAllByText('Unknown')).toHaveLength(2)
  expect(screen.getByText('The registry of .example tells no dates')).toBeTruthy()
})

test('says that it was not looked at yet', async () => {
  const unknown = { domain: null, expires_at: null, days_left: null, registrar: null, checked_at: null, problem: null }
  open(() => ({ registration: unknown }))
  expect(await screen.findAllByText('Not checked yet')).toHaveLength(2)
})

test('says that it could not be loaded', async () => {
  open(() => problem(503, { code: 'unavailable', detail: 'Not now' }))
  expect(await screen.findByText(/Failed to load/)).toBeTruthy()
})
