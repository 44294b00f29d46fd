import * as checks from '@agency/contract/descriptors/checks'
import * as heartbeats from '@agency/contract/descriptors/heartbeats'
import * as registrations from '@agency/contract/descriptors/registrations'
import type { CheckTrial, Permission, SiteChecks } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { CheckSections } from './CheckSections.tsx'

const someChecks = (part: Partial<SiteChecks> = {}): SiteChecks => ({
  ...{ path: null, method: 'GET', interval_seconds: 60, timeout_seconds: 10, retries: 0, failures: 2, of: 2 },
  ...{ statuses: null, keyword: null, json: null, header: null, redirect: { mode: 'follow' }, dns: null },
  ...{ certificate_days: 14 },
  ...{ version: 3, url: 'https://harbour.example/', changed_at: null },
  ...part,
})

const aTrial = (part: Partial<CheckTrial> = {}): CheckTrial => ({
  ...{ health: 'down', detail: 'Expected "Book now", not found', url: 'https://harbour.example/', redirects: 0 },
  ...{ status_code: 200, total_ms: 84, tries: 1, certificate: null },
  ...part,
})

type Options = { without?: Permission; save?: () => unknown; attempt?: () => unknown; load?: () => unknown }

function open({ without, save, attempt, load }: Options = {}) {
  mockApi(registrations, {
    getSiteRegistration: () => ({
      registration: {
        ...{ domain: null, expires_at: null, days_left: null, registrar: null, checked_at: null, problem: null },
      },
    }),
  })
  mockApi(heartbeats, {
    getSiteHeartbeat: () => ({
      heartbeat: {
        ...{ is_on: false, every_minutes: 5, grace_minutes: 2, when_missing: 'degraded', state: 'off' },
        ...{ has_address: false, last_at: null, due_at: null, version: 0 },
      },
    }),
  })
  const api = mockApi(checks, {
    getSiteChecks: (load ?? (() => ({ checks: someChecks() }))) as never,
    updateSiteChecks: (save ?? (() => ({ checks: someChecks({ version: 4 }) }))) as never,
    trySiteChecks: (attempt ?? (() => ({ trial: aTrial() }))) as never,
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  const site = { id: 'site_1', site_name: 'Harbour Bakery' }
  return { api, ...renderPage(<CheckSections site={site} />, { session }) }
}

const bodiesOf = (api: ReturnType<typeof open>['api'], wanted: string) =>
  api
    .calls()
    .filter(({ name }) => name === wanted)
    .map(({ body }) => body)

test('shows what is asked, and saves only what was changed', async () => {
  const { api, user } = open()
  expect(await screen.findByText('https://harbour.example/')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save checks' })).toBeNull()
  await user.selectOptions(screen.getByLabelText('Interval'), '5 minutes')
  await user.type(screen.getByLabelText('Statuses'), '200-299')
  await user.selectOptions(screen.getByLabelText('Keyword'), 'Must be there')
  await user.type(screen.getByLabelText('Keyword text'), 'Book now')
  await user.click(screen.getByRole('button', { name: 'Save checks' }))
  expect(await screen.findByText('Saved the checks of Harbour Bakery')).toBeTruthy()
  expect(bodiesOf(api, 'updateSiteChecks')).toEqual([
    { version: 3, interval_seconds: 300, statuses: '200-299', keyword: { text: 'Book now', mode: 'contains' } },
  ])
})

test('tries what was typed without saving it, and shows what was found', async () => {
  const { api, user } = open()
  await user.selectOptions(await screen.findByLabelText('Keyword'), 'Must be there')
  await user.type(screen.getByLabelText('Keyword text'), 'Book now')
  await user.click(screen.getByRole('button', { name: 'Try now' }))
  const result = within(await screen.findByRole('region', { name: 'Result' }))
  expect(result.getByText('Down')).toBeTruthy()
  expect(result.getByText('Expected "Book now", not found')).toBeTruthy()
  expect(result.getByText('84 ms')).toBeTruthy()
  expect(bodiesOf(api, 'trySiteChecks')).toEqual([{ keyword: { text: 'Book now', mode: 'contains' } }])
  expect(bodiesOf(api, 'updateSiteChecks')).toEqual([])
})

test('tells at its field what is wrong, before anything is sent', async () => {
  const { api, user } = open()
  const timeout = await screen.findByLabelText('Time-out in seconds')
  await user.clear(timeout)
  await user.type(timeout, '90')
  await user.click(screen.getByRole('button', { name: 'Save checks' }))
  expect(await screen.findByText('A whole number from 1 to 30')).toBeTruthy()
  expect(bodiesOf(api, 'updateSiteChecks')).toEqual([])
})

test('tells the refusal of the server at its field', async () => {
  const refused = () =>
    problem(400, {
      code: 'invalid_request',
      detail: 'The address must be on harbour.example',
      parameter: 'body.path',
    })
  const { user } = open({ save: refused })
  await user.type(await screen.findByLabelText('Path or address'), 'https://other.example/')
  await user.click(screen.getByRole('button', { name: 'Save checks' }))
  expect(await screen.findByText('The address must be on harbour.example')).toBeTruthy()
})

test('keeps the entries when somebody else was faster', async () => {
  const { user } = open({
    save: () => problem(409, { code: 'conflict', detail: 'Changed meanwhile', parameter: 'version' }),
  })
  await user.selectOptions(await screen.findByLabelText('Interval'), '30 seconds')
  await user.click(screen.getByRole('button', { name: 'Save checks' }))
  expect(await screen.findByText(/Someone else changed these checks/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLSelectElement>('Interval').value).toBe('30')
})

test('is closed without the permission, with the reason', async () => {
  open({ without: 'sites.write' })
  expect((await screen.findByLabelText<HTMLInputElement>('Path or address')).disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Try now' }).disabled).toBe(true)
})

test('says that the checks could not be loaded, with a retry', async () => {
  const { user } = open({ load: () => problem(503, { code: 'unavailable', detail: 'Not now' }) })
  await user.click(await screen.findByRole('button', { name: /Retry|Try again/ }))
  expect(await screen.findByText('Failed to load the checks.')).toBeTruthy()
})
