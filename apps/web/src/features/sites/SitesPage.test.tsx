import * as deployments from '@agency/contract/descriptors/deployments'
import * as sites from '@agency/contract/descriptors/sites'
import type { Permission, Site } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockExports } from '../../../test/exports.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, showOn, testSession } from '../../../test/render.tsx'
import { aSite, siteDetails, unmeasured } from '../../../test/site-fixtures.ts'
import { SitesPage } from './SitesPage.tsx'

const summary = { total: 40, active: 33, healthy: 30, ssl_issues: 4 }
const harbour = aSite()
const cove = aSite({ id: 'site_2', site_name: 'Cove', domain: 'cove.example', customer_name: null, ...unmeasured })

beforeEach(() => {
  mockApi(sites, { getSite: () => ({ site: siteDetails() }) })
})

type Init = { rows?: Site[]; without?: Permission }
function open(search = '', { rows = [harbour, cove], without }: Init = {}) {
  const api = mockApi(sites, {
    listSites: () => ({ sites: rows, has_more: false, total: rows.length, summary }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<SitesPage />, { route: `/admin/sites${search}`, session }) }
}
const query = () => Object.fromEntries(new URLSearchParams(window.location.search))
const rowOf = async (name: RegExp) => (await screen.findByRole('link', { name })).closest('tr')!
const listCalls = (api: { calls: () => { name: string; query: Record<string, string> }[] }) =>
  api.calls().filter(({ name }) => name === 'listSites')

async function openMenu(user: ReturnType<typeof open>['user'], name: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  return screen.findByRole('menu')
}

test('shows the sites and the cards from one call', async () => {
  const { api } = open()
  const row = within(await rowOf(/Harbour Bakery/))
  for (const text of ['harbour.example', 'Ada Lovelace', 'Active', 'Healthy', '93', '1.25 GB', '11/20/2026'])
    expect(row.getAllByText(text).length).toBeGreaterThan(0)
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent?.replace(/[▲▼]/g, ''))).toEqual([
    // Of the boxes that select.
    '',
    'Site',
    'Customer',
    'Status',
    'Health',
    'SSL',
    'Performance',
    'Storage',
    'Last Deploy',
    'Actions',
  ])
  for (const [label, figure] of [
    ['Total', '40'],
    ['Active', '33'],
    ['Healthy', '30'],
    ['SSL Issues', '4'],
  ] as const) {
    const card = screen.getByRole('link', { name: label }).closest('article')!
    expect(within(card).getByText(figure)).toBeTruthy()
  }
  expect(api.calls().map(({ name }) => name)).toEqual(['listSites'])
  expect(api.calls()[0]?.query).toEqual({ limit: '25', sort: '-created_at' })
})

test('what was never measured is unknown and not zero', async () => {
  open()
  const row = within(await rowOf(/Cove/))
  expect(row.getByText('Unknown')).toBeTruthy()
  expect(row.getAllByText('–')).toHaveLength(2)
  expect(row.getByText('Never')).toBeTruthy()
  expect(row.queryByText(/^0/)).toBeNull()
})

test('a measured value tells its source and age', async () => {
  const { user } = open()
  const row = within(await rowOf(/Harbour Bakery/))
  await user.hover(row.getByText('Healthy'))
  const title = row.getByText('Healthy').closest('[title]')?.getAttribute('title')
  expect(title).toMatch(/^HTTP 200\. Answered in 340 ms\. Source: the console's own check, .+ ago \(/)
})

test.each([
  ['Active', { status: 'active' }],
  ['Healthy', { health: 'healthy' }],
  ['SSL Issues', { ssl: 'issues' }],
] as const)('the card %s shows in the list what it counts', async (card, filter) => {
  const { api, user } = open('?search=bakery')
  await rowOf(/Harbour Bakery/)
  await user.click(screen.getByRole('link', { name: card }))
  expect(query()).toEqual(filter)
  await waitFor(() => expect(listCalls(api).at(-1)?.query).toMatchObject(filter))
})

test('search, filters and sorting live in the URL and go back to the first page', async () => {
  const { api, user } = open('?after=site_9&at=25')
  await rowOf(/Harbour Bakery/)
  await user.selectOptions(screen.getByLabelText('Health'), 'down')
  expect(query()).toEqual({ health: 'down' })
  await user.selectOptions(screen.getByLabelText('Status'), 'maintenance')
  await user.type(screen.getByLabelText('Search site, domain or customer'), 'bak')
  await waitFor(() => expect(query()).toEqual({ health: 'down', status: 'maintenance', search: 'bak' }))
  await user.click(screen.getByRole('button', { name: /Performance/ }))
  await waitFor(() =>
    expect(listCalls(api).at(-1)?.query).toEqual({
      ...{ limit: '25', health: 'down', status: 'maintenance', search: 'bak', sort: '-performance_score' },
    }),
  )
})

test('without sites it says so, with filters it offers to clear them', async () => {
  const { user } = open('?status=suspended', { rows: [] })
  expect(await screen.findByText('No sites match your filters')).toBeTruthy()
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
  expect(await screen.findByText('No sites yet')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add the first site' }))
  expect(await screen.findByRole('dialog', { name: 'Add Site' })).toBeTruthy()
})

test('a failed load marks the cards unavailable and shows no row', async () => {
  mockApi(sites, { listSites: () => problem(503, { code: 'unavailable', title: 'Down' }) })
  renderPage(<SitesPage />, { route: '/admin/sites' })
  expect(await screen.findByText(/Failed to load the sites/)).toBeTruthy()
  expect(screen.getAllByText('Unavailable')).toHaveLength(4)
  expect(screen.queryByText(/No sites/)).toBeNull()
})

test('a hostile name stays text and a hostile address no link', async () => {
  const hostile = '<img src=x onerror=alert(1)>'
  const { user } = open('', { rows: [aSite({ site_name: hostile, deployment_url: 'javascript:alert(1)' })] })
  expect(await screen.findByText(hostile)).toBeTruthy()
  expect(document.querySelector('img')).toBeNull()
  const menu = await openMenu(user, hostile)
  const visit = within(menu).getByRole('menuitem', { name: /Visit Site/ })
  expect(visit.getAttribute('aria-disabled')).toBe('true')
  expect(document.querySelector('[href^="javascript"]')).toBeNull()
})

test('the row menu visits the site in a new tab', async () => {
  const { user } = open()
  const menu = within(await openMenu(user, 'Harbour Bakery'))
  const names = menu.getAllByRole('menuitem').map((item) => item.textContent)
  expect(names).toEqual([
    'View Details',
    'Edit Site',
    'Visit Site',
    'Redeploy',
    'Change Status',
    'Suspend Site',
    'Delete Site',
  ])
  const visit = menu.getByRole('menuitem', { name: 'Visit Site' })
  expect(['href', 'target', 'rel'].map((name) => visit.getAttribute(name))).toEqual([
    'https://harbour.example/',
    '_blank',
    'noreferrer',
  ])
})

test.each([
  ['sites.write', ['Edit Site', 'Change Status', 'Suspend Site', 'Delete Site']],
  ['sites.deploy', ['Redeploy']],
] as const)('without %s the controls name the permission', async (without, blocked) => {
  const { user } = open('', { without })
  const menu = within(await openMenu(user, 'Harbour Bakery'))
  for (const name of blocked) {
    const item = menu.getByRole('menuitem', { name: new RegExp(name) })
    expect(item.getAttribute('aria-disabled')).toBe('true')
    expect(item.textContent).toContain(`Needs the permission ${without}`)
  }
})

test('without sites.read nothing is asked for', async () => {
  const { api } = open('', { without: 'sites.read' })
  expect(screen.getByText('You may not see sites')).toBeTruthy()
  expect(api.calls()).toEqual([])
})

test('one press of Redeploy is one deployment, and leads to its log', async () => {
  const created = mockApi(deployments, {
    createDeployment: () => Response.json({ deployment: { id: 'dep_1' }, is_repeat: false }),
  })
  const { user } = open()
  const menu = await openMenu(user, 'Harbour Bakery')
  await user.dblClick(within(menu).getByRole('menuitem', { name: 'Redeploy' }))
  const log = await screen.findByRole('link', { name: 'View log' })
  expect(log.getAttribute('href')).toBe('/admin/deployments?open=dep_1')
  expect(created.calls().filter(({ name }) => name === 'createDeployment')).toHaveLength(1)
})

test('while one is being asked for, the other rows say that they wait', async () => {
  const created = mockApi(deployments, { createDeployment: () => new Promise<Response>(() => {}) })
  const { user } = open('', { rows: [aSite(), aSite({ id: 'site_2', site_name: 'Cove' })] })
  await user.click(within(await openMenu(user, 'Harbour Bakery')).getByRole('menuitem', { name: 'Redeploy' }))
  const other = within(await openMenu(user, 'Cove')).getByRole('menuitem', { name: /Redeploy/ })
  expect(other.textContent).toContain('Another deployment is starting')
  await user.click(other)
  await expect.poll(() => created.calls().filter(({ name }) => name === 'createDeployment')).toHaveLength(1)
})

test('after a lost answer another press is the same deployment', async () => {
  let tries = 0
  const created = mockApi(deployments, {
    createDeployment: () => {
      tries += 1
      if (tries === 1) throw new TypeError('lost')
      return Response.json({ deployment: { id: 'dep_1' }, is_repeat: true })
    },
  })
  const { user } = open()
  for (const answer of [/was not deployed/, /is already queued/]) {
    await user.click(within(await openMenu(user, 'Harbour Bakery')).getByRole('menuitem', { name: 'Redeploy' }))
    await screen.findByText(answer)
  }
  const keys = created
    .calls()
    .flatMap(({ name, headers }) => (name === 'createDeployment' ? [headers.get('idempotency-key')] : []))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('a site that nothing deploys, or that is suspended, cannot be redeployed', async () => {
  const { user } = open('', {
    rows: [
      aSite({ provider: null }),
      aSite({ id: 'site_2', site_name: 'Cove', status: 'suspended', at_provider: 'still_served' }),
    ],
  })
  const menu = within(await openMenu(user, 'Harbour Bakery'))
  expect(menu.getByRole('menuitem', { name: /Redeploy/ }).textContent).toContain(
    'Choose a host under Configuration first',
  )
  await user.keyboard('{Escape}')
  expect(within(await rowOf(/Cove/)).getByText('Still live')).toBeTruthy()
  const other = within(await openMenu(user, 'Cove'))
  expect(other.getByRole('menuitem', { name: /Redeploy/ }).textContent).toContain('resume first')
  expect(other.getByRole('menuitem', { name: 'Resume Site' })).toBeTruthy()
})

test('several sites are suspended for one reason, each with what it reaches', async () => {
  const { api, user } = open()
  mockApi(sites, {
    previewSiteSuspension: ({ params }) => ({
      preview: {
        ...{ blocked: null, effects: [`Takes ${params.id} offline`], warnings: [], sites: [], records: [] },
      } as never,
    }),
    suspendSite: ({ params }) => ({ site: aSite({ id: String(params.id), at_provider: 'suspending' }) }) as never,
  })
  await rowOf(/Harbour Bakery/)
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Suspend' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Suspend 2 sites' }))
  await dialog.findByText('Takes site_1 offline')
  const confirm = dialog.getByRole('button', { name: /^Suspend/ })
  expect(confirm.getAttribute('aria-description')).toBe('Enter a reason')
  await user.type(dialog.getByLabelText('Reason'), 'Moved away')
  await user.click(confirm)
  await dialog.findByText('2 of 2 done')
  const sent = api.calls().filter(({ name }) => name === 'suspendSite')
  expect(sent.map(({ params, body }) => [params, body])).toEqual([
    [{ id: 'site_1' }, { reason: 'Moved away' }],
    [{ id: 'site_2' }, { reason: 'Moved away' }],
  ])
})

test('exports all that match as a file', async () => {
  const { user } = open('?health=down')
  const { ordered } = mockExports({ rows_done: 1 })
  await rowOf(/Harbour Bakery/)
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('menuitem', { name: 'CSV' }))
  expect(await screen.findByText('Exported 1 site')).toBeTruthy()
  expect(ordered()).toEqual([{ kind: 'sites', format: 'csv', parameters: { health: 'down' } }])
})

test('a phone shows three facts of each site', async () => {
  showOn('phone')
  open()
  const card = (await screen.findByRole('link', { name: /Harbour Bakery/ })).closest('li')!
  expect(
    within(card)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['Status', 'Health', 'SSL'])
})
