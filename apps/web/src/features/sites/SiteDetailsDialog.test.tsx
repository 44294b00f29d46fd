import * as sites from '@agency/contract/descriptors/sites'
import type { Permission, SiteDetails, SiteStatusChange } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import { aSite, siteDetails, unmeasured } from '../../../test/site-fixtures.ts'
import { SitesPage } from './SitesPage.tsx'

function open(part: Partial<SiteDetails> = {}, without?: Permission) {
  mockApi(sites, {
    listSites: () => ({
      sites: [aSite()],
      has_more: false,
      total: 1,
      summary: { total: 1, active: 1, healthy: 1, ssl_issues: 0 },
    }),
    getSite: () => ({ site: siteDetails(part) }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return renderPage(<SitesPage />, { route: '/admin/sites?open=site_1', session })
}
const dialogOf = async () => within(await screen.findByRole('dialog', { name: /Harbour Bakery/ }))
const factOf = (dialog: ReturnType<typeof within>, label: string) =>
  dialog.getByText(label, { selector: 'dt' }).parentElement!.textContent

test('each value tells what it is, where it comes from and how old it is', async () => {
  open()
  const dialog = await dialogOf()
  expect(factOf(dialog, 'Health')).toMatch(
    /HealthHealthyHTTP 200\. Answered in 340 ms\. From the console's own check, /,
  )
  expect(factOf(dialog, 'SSL')).toMatch(/Issued by Example CA\. (Valid until 2\/1\/2027|Expired on)/)
  expect(factOf(dialog, 'Storage')).toMatch(/^Storage1\.25 GBFrom the last deployment, /)
  expect(factOf(dialog, 'Bandwidth')).toMatch(/^Bandwidth12\.5 GB/)
  expect(dialog.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')).toBe('/admin/customers?open=cus_1')
  expect(dialog.getByText(/^Deployment by/).textContent).toBe('Deployment by Bob')
  expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Overview',
    'Deployments',
    'Performance',
    'Configuration',
  ])
})

test('what was never measured says where it would come from', async () => {
  open(unmeasured)
  const dialog = await dialogOf()
  expect(factOf(dialog, 'Performance score')).toContain('–Not measured yet (the last checks')
  expect(factOf(dialog, 'Storage')).toContain('–Not measured yet')
  expect(factOf(dialog, 'Bandwidth')).toBe("Bandwidth–Not measured yet (Cloudflare's analytics).")
})

test('the history names people, and the console for what happened by itself', async () => {
  const [change] = siteDetails().status_changes
  const by = (id: string, actor_type: SiteStatusChange['actor_type']) => ({ ...change!, id, actor_type })
  const actors = [by('1', 'job'), by('2', 'user'), by('3', null)].map((each) => ({
    ...each,
    actor_name: 'sites.expire',
  }))
  open({ status_changes: actors })
  const dialog = await dialogOf()
  expect(dialog.getAllByText(/^Deployment by/).map(({ textContent }) => textContent)).toEqual([
    'Deployment by the console',
    'Deployment by sites.expire',
    'Deployment by sites.expire',
  ])
})

test('host names that the note of a suspension tells are told once', async () => {
  const note = 'Detached at Cloudflare: harbour.example'
  const suspension = { state: 'suspended', reason: 'Not paid', by: 'Bob', at: '2026-11-20T10:00:00Z' } as const
  const more = { customer_id: null, domains: ['harbour.example'], tries: 0, next_try_at: null }
  open({ status: 'suspended', at_provider: 'offline', suspension: { ...suspension, ...more, note } })
  const notice = within((await dialogOf()).getByRole('alert'))
  expect(notice.getByText(note)).toBeTruthy()
  expect(notice.queryByText(/Domains detached/)).toBeNull()
})

test('among the deployments the footer does not offer a second button that deploys', async () => {
  const { user } = open()
  const dialog = await dialogOf()
  expect(dialog.getByRole('button', { name: 'Redeploy' })).toBeTruthy()
  await user.click(dialog.getByRole('tab', { name: 'Deployments' }))
  expect(dialog.queryByRole('button', { name: 'Redeploy' })).toBeNull()
})

test('a suspension that its provider cannot carry out is told plainly', async () => {
  open({
    status: 'suspended',
    at_provider: 'still_served',
    suspension: {
      ...{ state: 'suspended', reason: '<b>Not paid</b>', by: 'Bob', at: '2026-11-20T10:00:00Z', customer_id: 'cus_1' },
      ...{ domains: [], note: 'A deploy hook cannot take a site offline', tries: 0, next_try_at: null },
    },
    can: { suspend: 'Suspended', resume: null, delete: null, deploy: 'Suspended' },
  })
  const dialog = await dialogOf()
  const notice = within(dialog.getByRole('alert'))
  expect(notice.getByText('Suspended here, but still live')).toBeTruthy()
  expect(notice.getByText('<b>Not paid</b>')).toBeTruthy()
  expect(notice.getByText('A deploy hook cannot take a site offline')).toBeTruthy()
  expect(notice.getByRole('button', { name: 'Resume site' })).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Redeploy' }).disabled).toBe(true)
})

test('without sites.write nothing can be changed, and the permission is named', async () => {
  open({}, 'sites.write')
  const dialog = await dialogOf()
  const edit = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Edit Site' })
  expect([edit.disabled, edit.getAttribute('aria-description')]).toEqual([true, 'Needs the permission sites.write'])
})

test('says that a site does not exist, and offers nothing to do with one', async () => {
  mockApi(sites, {
    listSites: () => problem(503, { code: 'unavailable' }),
    getSite: () => problem(404, { code: 'not_found', title: 'Not found', detail: 'Site site_1 was not found' }),
  })
  renderPage(<SitesPage />, { route: '/admin/sites?open=site_1' })
  const dialog = within(await screen.findByRole('dialog', { name: 'Site not found' }))
  expect(dialog.getByText('The site may have been deleted, or the address is wrong.')).toBeTruthy()
  expect(dialog.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual(['Close'])
  expect(dialog.queryByRole('tab')).toBeNull()
})
