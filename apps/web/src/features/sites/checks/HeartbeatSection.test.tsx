import * as heartbeats from '@agency/contract/descriptors/heartbeats'
import type { Permission, SiteHeartbeat } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { HeartbeatSection } from './HeartbeatSection.tsx'

const aHeartbeat = (part: Partial<SiteHeartbeat> = {}): SiteHeartbeat => ({
  ...{ is_on: true, every_minutes: 5, grace_minutes: 2, when_missing: 'degraded', state: 'received' },
  ...{ has_address: true, last_at: new Date().toISOString(), due_at: '2026-11-22T12:07:00Z', version: 4 },
  ...part,
})

function open(part: Partial<SiteHeartbeat> = {}, without?: Permission, failing = false) {
  const api = mockApi(heartbeats, {
    getSiteHeartbeat: () =>
      failing ? problem(503, { code: 'unavailable', detail: 'Not now' }) : { heartbeat: aHeartbeat(part) },
    updateSiteHeartbeat: () => ({ heartbeat: aHeartbeat({ version: 5 }) }),
    rotateSiteHeartbeat: () => ({ heartbeat: aHeartbeat(), address: '/heartbeats/a-secret' }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  const site = { id: 'site_1', site_name: 'Harbour Bakery' }
  return { api, ...renderPage(<HeartbeatSection site={site} />, { session }) }
}

const changesOf = (api: ReturnType<typeof open>['api']) =>
  api
    .calls()
    .filter(({ name }) => name === 'updateSiteHeartbeat')
    .map(({ body }) => body)

test('without an address there is nothing to set but one', async () => {
  const { user } = open({ has_address: false, is_on: false, state: 'off', last_at: null, due_at: null, version: 0 })
  expect(await screen.findByText('Off')).toBeTruthy()
  expect(screen.queryByLabelText('Expected every, in minutes')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Create address' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Heartbeat address' }))
  expect(dialog.getByText(`${location.origin}/heartbeats/a-secret`)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'I have stored the key' }))
  await waitFor(() => expect(document.body.innerHTML).not.toContain('a-secret'))
})

test('says that calls are missing, and saves what is changed', async () => {
  const { api, user } = open({ state: 'missing' })
  expect(await screen.findByText('Missing')).toBeTruthy()
  const every = screen.getByLabelText('Expected every, in minutes')
  await user.clear(every)
  await user.type(every, '60')
  await user.selectOptions(screen.getByLabelText('When missing, the site is'), 'Down')
  await user.click(screen.getByRole('button', { name: 'Save heartbeat' }))
  expect(await screen.findByText('Saved the heartbeat of Harbour Bakery')).toBeTruthy()
  expect(changesOf(api)).toEqual([{ version: 4, every_minutes: 60, when_missing: 'down' }])
})

test('is switched off', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Switch off' }))
  expect(await screen.findByText('Switched the heartbeat of Harbour Bakery off')).toBeTruthy()
  expect(changesOf(api)).toEqual([{ version: 4, is_on: false }])
})

test('refuses what is no number of minutes', async () => {
  const { api, user } = open()
  await user.clear(await screen.findByLabelText('Grace in minutes'))
  await user.click(screen.getByRole('button', { name: 'Save heartbeat' }))
  expect(await screen.findByText('A whole number from 0 to 1,440')).toBeTruthy()
  expect(changesOf(api)).toEqual([])
})

test('is closed without the permission', async () => {
  open({}, 'sites.write')
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Rotate address' })).disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Grace in minutes').disabled).toBe(true)
})

test('says that it could not be loaded', async () => {
  open({}, undefined, true)
  expect(await screen.findByText(/Failed to load/)).toBeTruthy()
})
