import * as beacons from '@agency/contract/descriptors/beacons'
import type { SiteBeacon } from '@agency/contract/types'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { siteDetails } from '../../../../test/site-fixtures.ts'
import { BeaconSection } from './BeaconSection.tsx'

const tag = '<script defer src="https://console.example/beacon.js" data-site="site_1"></script>'
const beacon = (part: Partial<SiteBeacon> = {}): SiteBeacon => ({
  ...{ is_on: false, tag, hosts: ['harbour.example', 'www.harbour.example'], heard_from: null, heard_at: null },
  ...{ visits: null, page_views: null, goals: [], version: 0, ...part },
})

function open(given: Partial<SiteBeacon>, { session = testSession(), fails = false } = {}) {
  let now = beacon(given)
  const api = mockApi(beacons, {
    getSiteBeacon: () => ({ beacon: now }),
    updateSiteBeacon: ({ body }) => {
      if (fails) return problem(409, { code: 'conflict', detail: 'Somebody changed it.' })
      now = { ...now, is_on: body.is_on, version: now.version + 1 }
      return { beacon: now }
    },
  })
  return { api, ...renderPage(<BeaconSection site={siteDetails()} />, { session }) }
}

test('is off until somebody switches it on; then it says what the pages take in', async () => {
  const { api, user } = open({})
  expect(await screen.findByText('Off')).toBeDefined()
  expect(screen.queryByText(tag)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Switch beacon on' }))
  expect(await screen.findByText(tag)).toBeDefined()
  expect(screen.getByText('On, no data yet')).toBeDefined()
  expect(screen.getByText(/^Put this into the pages of harbour\.example, www\.harbour\.example\./)).toBeDefined()
  expect(api.calls().find(({ name }) => name === 'updateSiteBeacon')?.body).toEqual({ is_on: true, version: 0 })
})

test('shows what was counted, and its goals', async () => {
  const at = new Date().toISOString()
  open({
    ...{ is_on: true, heard_from: at, heard_at: at, visits: 1200, page_views: 4500 },
    goals: [{ goal: 'signup', hits: 12 }],
  })
  expect(await screen.findByText('1,200')).toBeDefined()
  expect(screen.getByText('4,500')).toBeDefined()
  expect(screen.getByText('signup: 12')).toBeDefined()
})

test('without the console’s own address it says what is missing', async () => {
  open({ is_on: true, tag: null })
  expect(await screen.findByRole('link', { name: 'System Config' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Copy script tag' })).toBeNull()
})

test('a change that failed is told, and nothing has changed', async () => {
  const { user } = open({}, { fails: true })
  await user.click(await screen.findByRole('button', { name: 'Switch beacon on' }))
  expect(await screen.findByText('The beacon was not changed')).toBeDefined()
  expect(screen.getByText('Off')).toBeDefined()
})

test('whoever may not change sites sees why the switch is disabled', async () => {
  const session = testSession(allPermissions.filter((permission) => permission !== 'sites.write'))
  open({}, { session })
  expect(await screen.findByRole('button', { name: 'Switch beacon on' })).toHaveProperty('disabled', true)
})
