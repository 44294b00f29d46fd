import * as sites from '@agency/contract/descriptors/sites'
import type { Site, SiteDetails, SiteReach } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aSite, siteDetails } from '../../../test/site-fixtures.ts'
import { SitesPage } from './SitesPage.tsx'

const reach: SiteReach = {
  site: { id: 'site_1', site_name: 'Harbour Bakery', domain: 'harbour.example' },
  effects: ['harbour.example is taken from the Pages project harbour'],
  warnings: ['Visitors see an error'],
  blocked: null,
}

function open(row: Site = aSite(), search = '') {
  const api = mockApi(sites, {
    listSites: () => ({
      sites: [row],
      has_more: false,
      total: 1,
      summary: { total: 1, active: 1, healthy: 1, ssl_issues: 0 },
    }),
  })
  return { api, ...renderPage(<SitesPage />, { route: `/admin/sites${search}` }) }
}
type Opened = ReturnType<typeof open>
const callsOf = (api: Opened['api'], wanted: string) => api.calls().filter(({ name }) => name === wanted)

async function choose(user: Opened['user'], label: string) {
  await user.click(await screen.findByRole('button', { name: 'Actions for Harbour Bakery' }))
  await user.click(within(await screen.findByRole('menu')).getByRole('menuitem', { name: label }))
}

beforeEach(() => {
  mockApi(sites, {
    getSite: () => ({ site: siteDetails() }),
    listSiteOwners: () => ({ owners: [{ id: 'cus_2', name: 'Grace', email: 'grace@example.com' }], has_more: true }),
    previewSiteSuspension: () => ({ preview: reach }),
    previewSiteDeletion: () => ({ preview: reach }),
    createSite: () => ({ site: siteDetails() }),
    updateSite: () => ({ site: siteDetails({ version: 4 }) }),
    suspendSite: () => ({ site: siteDetails({ status: 'suspended', at_provider: 'still_served' }) }),
    resumeSite: () => ({ site: siteDetails() }),
    deleteSite: () => ({ success: true as const }),
    setSiteStatus: () => ({ site: siteDetails({ status: 'maintenance' }) }),
  })
})

test('adds a site: the required fields are told on the press, and a double press is one site', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Site' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Site' }))
  await user.type(dialog.getByLabelText(/Site name/), 'Harbour Bakery')
  await user.click(dialog.getByRole('button', { name: 'Add Site' }))
  expect(dialog.getByRole('alert').textContent).toBe('Please fill in required fields')
  expect(callsOf(api, 'createSite')).toEqual([])
  await user.type(dialog.getByLabelText(/Domain/), 'harbour.example')
  expect(dialog.queryByText('Please fill in required fields')).toBeNull()
  expect(dialog.getByText('Empty: https://harbour.example')).toBeTruthy()
  await user.dblClick(dialog.getByRole('button', { name: 'Add Site' }))
  expect(await screen.findByText('Added Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'createSite').map(({ body }) => body)).toEqual([
    {
      ...{ site_name: 'Harbour Bakery', domain: 'harbour.example', subdomain: null, customer_id: null },
      ...{ deployment_url: null, template_type: null },
    },
  ])
  await waitFor(() => expect(window.location.search).toBe('?open=site_1'))
})

test('the owner is searched among all customers', async () => {
  const { api, user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Site' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Site' }))
  await user.type(dialog.getByRole('combobox', { name: 'Customer' }), 'gra')
  await waitFor(() => expect(callsOf(api, 'listSiteOwners').at(-1)?.query).toEqual({ search: 'gra' }))
  await user.click(await screen.findByRole('option', { name: /Grace/ }))
  await user.type(dialog.getByLabelText(/Site name/), 'Cove')
  await user.type(dialog.getByLabelText(/Domain/), 'cove.example')
  await user.click(dialog.getByRole('button', { name: 'Add Site' }))
  await waitFor(() => expect(callsOf(api, 'createSite')[0]?.body).toMatchObject({ customer_id: 'cus_2' }))
})

test('when customers cannot be loaded, those that were offered last are, and it says so', async () => {
  const first = open()
  await first.user.click(await screen.findByRole('button', { name: 'Add Site' }))
  await first.user.click(await screen.findByRole('combobox', { name: 'Customer' }))
  await screen.findByRole('option', { name: /Grace/ })
  first.unmount()
  mockApi(sites, { listSiteOwners: () => problem(503, { code: 'unavailable', title: 'Down' }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Site' }))
  expect(await screen.findByText(/Showing the last known ones/)).toBeTruthy()
  await user.type(screen.getByRole('combobox', { name: 'Customer' }), 'grace@')
  expect(await screen.findByRole('option', { name: /Grace/ })).toBeTruthy()
  await user.clear(screen.getByRole('combobox', { name: 'Customer' }))
  await user.type(screen.getByRole('combobox', { name: 'Customer' }), 'nobody')
  expect(await screen.findByText('No saved customer matches')).toBeTruthy()
})

test('a refused domain is told at its field', async () => {
  mockApi(sites, {
    createSite: () =>
      problem(400, { code: 'invalid_request', detail: 'harbour.example is taken', parameter: 'domain' }),
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Add Site' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Site' }))
  await user.type(dialog.getByLabelText(/Site name/), 'Harbour')
  await user.type(dialog.getByLabelText(/Domain/), 'harbour.example')
  await user.click(dialog.getByRole('button', { name: 'Add Site' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('harbour.example is taken')
  expect(dialog.getByLabelText<HTMLInputElement>(/Domain/).value).toBe('harbour.example')
})

test('edits only what differs, and keeps it when somebody else was faster', async () => {
  let tries = 0
  mockApi(sites, {
    updateSite: () => {
      tries += 1
      return tries === 1
        ? problem(409, { code: 'conflict', detail: 'Bob has changed the site name.', parameter: 'version' })
        : { site: siteDetails({ version: 5 }) }
    },
  })
  const { api, user } = open()
  await choose(user, 'Edit Site')
  await user.type(await screen.findByLabelText('Subdomain'), 'shop')
  const dialog = within(screen.getByRole('dialog', { name: 'Edit Site' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/Bob has changed the site name/)).toBeTruthy()
  mockApi(sites, { getSite: () => ({ site: siteDetails({ version: 4, site_name: 'Harbour Café' }) }) })
  await user.click(dialog.getByRole('button', { name: 'Load current state' }))
  await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>(/Site name/).value).toBe('Harbour Café'))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Saved Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'updateSite').map(({ body }) => body)).toEqual([
    { version: 3, subdomain: 'shop' },
    { version: 4, subdomain: 'shop' },
  ])
})

test('sends nothing while the newer state loads, and keeps what is typed meanwhile', async () => {
  const newer = Promise.withResolvers<{ site: SiteDetails }>()
  mockApi(sites, {
    updateSite: ({ body }) =>
      (body as { version: number }).version === 4
        ? { site: siteDetails({ version: 5 }) }
        : problem(409, { code: 'conflict', detail: 'Bob has changed the site name.', parameter: 'version' }),
  })
  const { api, user } = open()
  await choose(user, 'Edit Site')
  const subdomain = await screen.findByLabelText('Subdomain')
  await user.type(subdomain, 'shop')
  const dialog = within(screen.getByRole('dialog', { name: 'Edit Site' }))
  const save = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  await user.click(save())
  await dialog.findByText(/Bob has changed the site name/)
  mockApi(sites, { getSite: () => newer.promise })
  await user.click(dialog.getByRole('button', { name: 'Load current state' }))
  await user.click(save())
  await user.type(subdomain, 's{Enter}')
  expect(callsOf(api, 'updateSite')).toHaveLength(1)
  expect(save().getAttribute('aria-description')).toBe('Load the current state first')
  newer.resolve({ site: siteDetails({ version: 4, site_name: 'Harbour Café' }) })
  await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>(/Site name/).value).toBe('Harbour Café'))
  await user.click(save())
  expect(await screen.findByText('Saved Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'updateSite').map(({ body }) => body)).toEqual([
    { version: 3, subdomain: 'shop' },
    { version: 4, subdomain: 'shops' },
  ])
})

test('the newer state can be asked for again when it could not be loaded', async () => {
  mockApi(sites, {
    updateSite: () =>
      problem(409, { code: 'conflict', detail: 'Bob has changed the site name.', parameter: 'version' }),
  })
  const { api, user } = open()
  await choose(user, 'Edit Site')
  await user.type(await screen.findByLabelText('Subdomain'), 'shop')
  const dialog = within(screen.getByRole('dialog', { name: 'Edit Site' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(/Bob has changed the site name/)
  mockApi(sites, { getSite: () => problem(503, { code: 'unavailable', title: 'Down' }) })
  await user.click(dialog.getByRole('button', { name: 'Load current state' }))
  expect(await screen.findByText('The current state could not be loaded')).toBeTruthy()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  mockApi(sites, { getSite: () => ({ site: siteDetails({ version: 4 }) }) })
  await user.click(dialog.getByRole('button', { name: 'Load current state' }))
  await waitFor(() => expect(dialog.queryByText(/Bob has changed the site name/)).toBeNull())
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false)
  expect(callsOf(api, 'updateSite')).toHaveLength(1)
})

test('suspends with a reason, and says beforehand what happens at the provider', async () => {
  const { api, user } = open()
  await choose(user, 'Suspend Site')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Suspend Site: Harbour Bakery' }))
  expect(await dialog.findByText('harbour.example is taken from the Pages project harbour')).toBeTruthy()
  expect(dialog.getByText('Visitors see an error')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Suspend site' }))
  expect(dialog.getByRole('alert').textContent).toBe('Enter a reason')
  await user.type(dialog.getByLabelText('Reason'), 'Not paid')
  await user.dblClick(dialog.getByRole('button', { name: 'Suspend site' }))
  expect(await screen.findByText('Harbour Bakery is suspended here, but still live')).toBeTruthy()
  expect(callsOf(api, 'suspendSite').map(({ body }) => body)).toEqual([{ reason: 'Not paid' }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(callsOf(api, 'resumeSite').map(({ params }) => params)).toEqual([{ id: 'site_1' }]))
})

test('what is blocked is not sent, and says why', async () => {
  mockApi(sites, { previewSiteSuspension: () => ({ preview: { ...reach, blocked: 'A deployment is running' } }) })
  const { api, user } = open()
  await choose(user, 'Suspend Site')
  const dialog = within(await screen.findByRole('alertdialog'))
  await dialog.findByText('Visitors see an error')
  await user.type(dialog.getByLabelText('Reason'), 'Not paid')
  await user.click(dialog.getByRole('button', { name: 'Suspend site' }))
  expect(dialog.getByRole('alert').textContent).toBe('A deployment is running')
  expect(callsOf(api, 'suspendSite')).toEqual([])
})

test('resumes a suspended site', async () => {
  const { api, user } = open(aSite({ status: 'suspended', at_provider: 'offline' }))
  await choose(user, 'Resume Site')
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Resume Site: Harbour Bakery' }))
  await dialog.findByText('Visitors see an error')
  await user.click(dialog.getByRole('button', { name: 'Resume site' }))
  expect(await screen.findByText('Resumed Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'resumeSite')).toHaveLength(1)
})

test('deletes after the specified question, with its reach, and closes the details', async () => {
  const { api, user } = open(aSite(), '?open=site_1')
  const details = within(await screen.findByRole('dialog', { name: /Harbour Bakery/ }))
  await user.click(await details.findByRole('button', { name: 'More for this site' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete Site' }))
  const dialog = within(
    await screen.findByRole('alertdialog', { name: 'Are you sure you want to delete Harbour Bakery?' }),
  )
  await dialog.findByText('Visitors see an error')
  await user.click(dialog.getByRole('button', { name: 'Delete site' }))
  expect(await screen.findByText('Deleted Harbour Bakery')).toBeTruthy()
  expect(callsOf(api, 'deleteSite')).toHaveLength(1)
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('sets the status by hand with a reason, for a while', async () => {
  const { api, user } = open()
  await choose(user, 'Change Status')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change Status: Harbour Bakery' }))
  const status = await dialog.findByLabelText<HTMLSelectElement>('Status')
  expect([...status.options].map(({ text }) => text)).toEqual(['Pending', 'Maintenance'])
  await user.selectOptions(status, 'maintenance')
  await user.click(dialog.getByRole('button', { name: 'Change status' }))
  expect(dialog.getByRole('alert').textContent).toBe('Enter a reason')
  await user.type(dialog.getByLabelText('Reason'), 'New design')
  await user.selectOptions(dialog.getByLabelText('How long'), 'For 4 hours')
  const before = Date.now()
  await user.click(dialog.getByRole('button', { name: 'Change status' }))
  expect(await screen.findByText('Harbour Bakery is maintenance')).toBeTruthy()
  const [sent] = callsOf(api, 'setSiteStatus')
  expect(sent?.body).toMatchObject({ status: 'maintenance', reason: 'New design' })
  const { until } = sent!.body as { until: string }
  expect(Math.abs(Date.parse(until) - before - 4 * 3_600_000)).toBeLessThan(60_000)
})

test.each([
  ['suspend', 'Suspend Site: Harbour Bakery'],
  ['delete', 'Are you sure you want to delete Harbour Bakery?'],
])('a link opens the dialog to %s over the site, and closing it leaves the site open', async (act, name) => {
  const { user } = open(aSite(), `?open=site_1&act=${act}`)
  const dialog = within(await screen.findByRole('alertdialog', { name }))
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(window.location.search).toBe('?open=site_1'))
})

test('a link opens the form of a site', async () => {
  open(aSite(), '?open=site_1&act=edit')
  expect(((await screen.findByLabelText(/Site name/)) as HTMLInputElement).value).toBe('Harbour Bakery')
})

test('a link offers to add a site on a domain', async () => {
  open(aSite(), '?act=add&on=pine.example')
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Site' }))
  expect((dialog.getByLabelText(/Domain/) as HTMLInputElement).value).toBe('pine.example')
})

test('a link does not open what the person may not do', async () => {
  mockApi(sites, {
    listSites: () => ({
      sites: [aSite()],
      ...{ has_more: false, total: 1, summary: { total: 1, active: 1, healthy: 1, ssl_issues: 0 } },
    }),
  })
  renderPage(<SitesPage />, { route: '/admin/sites?open=site_1&act=suspend', session: testSession(['sites.read']) })
  await screen.findByRole('dialog', { name: /Harbour Bakery/ })
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
