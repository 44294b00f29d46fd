import * as sites from '@agency/contract/descriptors/sites'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { SitesPage } from '../SitesPage.tsx'
import { oldSites } from './old-sites.ts'

const keep = (name: string, value: unknown) => localStorage.setItem(name, JSON.stringify(value))
const old = (domain: string) => ({ site_name: domain, domain })
const rows = [
  { position: 0, site_name: 'a', domain: 'a.example', outcome: 'create' as const, reason: null, notes: [] },
  {
    ...{ position: 1, site_name: '<b>b</b>', domain: 'b.example', outcome: 'skip' as const },
    reason: 'It is here already',
    notes: [],
  },
]
const answer = { created: 1, skipped: 1, rows }

function open(permissions = allPermissions) {
  const api = mockApi(sites, {
    listSites: () => ({
      sites: [],
      has_more: false,
      total: 0,
      summary: { total: 0, active: 0, healthy: 0, ssl_issues: 0 },
    }),
    previewSiteImport: () => answer,
    importSites: () => answer,
  })
  return { api, ...renderPage(<SitesPage />, { route: '/admin/sites', session: testSession(permissions) }) }
}
const callsOf = (api: ReturnType<typeof open>['api'], wanted: string) =>
  api.calls().filter(({ name }) => name === wanted)

test.each([
  ['a list', [{ ...old('a.example'), log: 'long' }, 'junk', null, 3]],
  ['a list within an object', { sites: [old('a.example')] }],
  ['one entry per id', { site_1: old('a.example'), count: 1 }],
])('finds old sites kept as %s', (_, kept) => {
  keep('sites', kept)
  expect(oldSites()).toEqual([old('a.example')])
})

test('finds nothing in what other programs keep', () => {
  keep('sites', ['https://a.example'])
  localStorage.setItem('agency_sites', '{broken')
  expect(oldSites()).toEqual([])
})

test('shows what would become of each, imports it once, and never asks again', async () => {
  keep('sites', [old('a.example')])
  keep('customer_sites', [old('b.example')])
  const first = open()
  expect(await screen.findByText(/Found 2 sites from an older console in this browser/)).toBeTruthy()
  await first.user.click(screen.getByRole('button', { name: 'Review' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import sites from an older console' }))
  expect(await dialog.findByText('<b>b</b>')).toBeTruthy()
  expect(dialog.getByText('It is here already')).toBeTruthy()
  expect(callsOf(first.api, 'importSites')).toEqual([])
  await first.user.dblClick(dialog.getByRole('button', { name: 'Import 1 site' }))
  expect(await screen.findByRole('alertdialog', { name: 'Imported 1 site' })).toBeTruthy()
  expect(callsOf(first.api, 'importSites').map(({ body }) => body)).toEqual([
    { sites: [old('a.example'), old('b.example')] },
  ])
  await first.user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(/of an older console/)).toBeNull()
  first.unmount()
  open()
  expect(await screen.findByText('No sites yet')).toBeTruthy()
  expect(screen.queryByText(/of an older console/)).toBeNull()
})

test('who does not want them is not asked again', async () => {
  keep('sites', [old('a.example')])
  const { user } = open()
  expect(await screen.findByText(/Found 1 site from an older console in this browser/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText(/of an older console/)).toBeNull()
  expect(localStorage.getItem('agency.oldSites')).toBe('"declined"')
})

test('a failed import says so, and trying again is the same import', async () => {
  keep('sites', [old('a.example')])
  const { api, user } = open()
  mockApi(sites, { importSites: () => problem(503, { code: 'unavailable', detail: 'The database does not answer.' }) })
  await user.click(await screen.findByRole('button', { name: 'Review' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(await dialog.findByRole('button', { name: 'Import 1 site' }))
  expect(await dialog.findByText(/The database does not answer/)).toBeTruthy()
  mockApi(sites, { importSites: () => answer })
  await user.click(dialog.getByRole('button', { name: 'Import 1 site' }))
  await screen.findByRole('alertdialog', { name: 'Imported 1 site' })
  const keys = callsOf(api, 'importSites').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('without sites.write it does not ask', async () => {
  keep('sites', [old('a.example')])
  open(allPermissions.filter((permission) => permission !== 'sites.write'))
  expect(await screen.findByText('No sites yet')).toBeTruthy()
  expect(screen.queryByText(/of an older console/)).toBeNull()
})
