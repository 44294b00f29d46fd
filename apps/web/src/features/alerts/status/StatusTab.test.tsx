import * as customers from '@agency/contract/descriptors/customers'
import * as sites from '@agency/contract/descriptors/sites'
import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { StatusPage } from '@agency/contract/types'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../../test/render.tsx'
import { AlertsPage } from '../AlertsPage.tsx'
import { bodyOf, fieldsOf, problemsOf } from './page-fields.ts'

const page = (part: Partial<StatusPage> = {}): StatusPage => ({
  ...{ id: 'agency', customer_name: null, slug: null, title: 'Our status', is_on: false, version: 2, sites: [] },
  ...{ updated_at: '2026-11-21T10:00:00Z', updated_by: 'Ada', ...part },
})
const site = { site_id: 'site_1', site_name: 'Harbour', domain: 'harbour.example', is_shown: true, label: 'Shop' }
const harbour = page({ id: 'cus_1', customer_name: 'Harbour Bakery', slug: 'harbour', is_on: true, sites: [site] })

/** As much of an answer as is looked at. */
const answerOf = (body: object) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

function open(handlers: object = {}, session = testSession()) {
  mockApi(sites, { listSites: () => answerOf({ sites: [], has_more: false }) })
  mockApi(customers, { listCustomers: () => answerOf({ customers: [], has_more: false }) })
  const api = mockApi(statusPages, {
    listStatusPages: () => ({ pages: [page(), harbour] }),
    getStatusPage: ({ params }) => ({ page: params.id === 'agency' ? page() : harbour }),
    saveStatusPage: () => ({ page: page({ is_on: true }) }),
    ...handlers,
  })
  const rendered = renderPage(<AlertsPage />, { route: '/admin/alerts?tab=status', session })
  return { ...rendered, saved: () => api.calls().filter(({ name }) => name === 'saveStatusPage') }
}

async function edit(user: ReturnType<typeof open>['user'], owner: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${owner}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  return within(await screen.findByRole('dialog', { name: `Status page of ${owner}` }))
}

test('lists the pages, with the address of those that are on', async () => {
  open()
  const link = await screen.findByRole('link', { name: '/status/harbour' })
  expect(link.getAttribute('href')).toBe('/status/harbour')
  expect(screen.queryByRole('link', { name: '/status' })).toBeNull()
})

test('the page of the agency is switched on', async () => {
  const { user, saved } = open()
  const dialog = await edit(user, 'Agency')
  await user.click(dialog.getByRole('switch', { name: /^On/ }))
  await user.click(dialog.getByRole('button', { name: 'Save page' }))
  expect(await screen.findByText('Status page of Agency: on')).toBeTruthy()
  expect(saved().map(({ body }) => body)).toEqual([
    { version: 2, is_on: true, title: 'Our status', slug: null, sites: [] },
  ])
})

test('a site of a customer is shown under another label', async () => {
  const { user, saved } = open()
  const dialog = await edit(user, 'Harbour Bakery')
  const label = dialog.getByLabelText('Label of Harbour')
  await user.clear(label)
  await user.type(label, 'Website')
  await user.click(dialog.getByRole('button', { name: 'Save page' }))
  expect(saved()[0]?.body).toMatchObject({ slug: 'harbour', sites: [{ site_id: 'site_1', label: 'Website' }] })
})

test('a page that was never set up is shown as it is: off', async () => {
  const fresh = page({ id: 'cus_2', customer_name: 'Cove Hotel', version: 0, title: '' })
  const { user, saved } = open({
    listStatusPages: () => ({ pages: [page(), fresh] }),
    getStatusPage: () => ({ page: fresh }),
    saveStatusPage: () => ({ page: { ...fresh, version: 1 } }),
  })
  const dialog = await edit(user, 'Cove Hotel')
  expect(dialog.getByRole('switch', { name: /^On/ })).toHaveProperty('checked', false)
  await user.click(dialog.getByRole('button', { name: 'Save page' }))
  expect(await screen.findByText('Status page of Cove Hotel: off')).toBeTruthy()
  expect(saved()[0]?.body).toMatchObject({ version: 0, is_on: false, slug: 'cove-hotel' })
})

test('an address that is taken is told at its field', async () => {
  const refusal = problem(400, { code: 'invalid_request', detail: 'slug is taken by another page', parameter: 'slug' })
  const { user } = open({ saveStatusPage: () => refusal })
  const dialog = await edit(user, 'Harbour Bakery')
  await user.click(dialog.getByRole('button', { name: 'Save page' }))
  expect(await dialog.findByText(/taken by another page/)).toBeTruthy()
})

test('whoever is no administrator is told so', async () => {
  open({}, testSession(['sites.read']))
  expect(await screen.findByText(/You may not see/)).toBeTruthy()
})

test('a new page is offered with all sites of its customer, and an address from their name', () => {
  const fresh = page({
    id: 'cus_1',
    customer_name: 'Harbour & Söhne Bakery',
    version: 0,
    title: '',
    sites: [{ ...site, is_shown: false, label: null }],
  })
  const fields = fieldsOf(fresh)
  expect(fields).toMatchObject({
    isOn: false,
    title: 'Status',
    slug: 'harbour-s-hne-bakery',
    sites: [{ id: 'site_1' }],
  })
  expect(bodyOf(fields, 'cus_1', fields)).toMatchObject({ version: 0, sites: [{ site_id: 'site_1', label: null }] })
  expect(problemsOf({ ...fields, slug: 'A b' }, false).slug).toBe('Use 3 to 40 letters, digits or hyphens')
  expect(problemsOf({ ...fields, slug: '' }, true).slug).toBeUndefined()
  const many = Array.from({ length: 201 }, (_, index) => ({ id: `site_${index}`, name: '', detail: '', label: '' }))
  expect(problemsOf({ ...fields, sites: many }, false).sites).toBe('A page shows 200 sites at most')
  expect(problemsOf({ ...fields, sites: many.slice(1) }, false).sites).toBeUndefined()
})
