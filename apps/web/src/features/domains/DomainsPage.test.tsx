import * as domains from '@agency/contract/descriptors/domains'
import * as zones from '@agency/contract/descriptors/zones'
import type { Domain, Permission } from '@agency/contract/types'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDomain, domainDetails, domainList } from '../../../test/domain-fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../test/render.tsx'
import { DomainsPage } from './DomainsPage.tsx'

const route = '/admin/domains'
const hostile = aDomain({
  id: 'zone_2',
  name: 'zone"><img src=x onerror=alert(1)>.example',
  url: 'javascript:alert(1)',
  status: 'being_frozen',
  plan: null,
  type: null,
  paused: true,
  created_on: null,
  site: null,
  customer: null,
  ssl: { value: null, checked_at: null, problem: 'No access: the token lacks Zone Settings:Read' },
  dnssec: { value: null, checked_at: null, problem: null },
  dashboard_url: 'javascript:alert(2)',
})

type Handlers = Parameters<typeof mockApi<typeof domains & typeof zones>>[1]

function open(search = '', rows: Domain[] = [aDomain(), hostile], handlers: Handlers = {}, without?: Permission) {
  const api = mockApi(
    { ...domains, ...zones },
    {
      listDomains: () => domainList(rows),
      getDomain: () => ({ domain: domainDetails() }),
      previewPurge: () => ({
        domain: { id: 'zone_1', name: 'harbour.example', plan_name: 'Pro Website' },
        site: { id: 'site_1', site_name: 'Harbour Bakery' },
        customer: { id: 'cus_1', name: 'Ada Lovelace' },
        hosts: ['harbour.example'],
        last: null,
      }),
      ...handlers,
    },
  )
  const session = testSession(allPermissions.filter((permission) => permission !== without))
  return { api, ...renderPage(<DomainsPage />, { route: route + search, session }) }
}

const rowOf = async (name: RegExp) => (await screen.findByText(name)).closest('tr')!
const failure = 'Failed to fetch domains. Please try again.'
const alertOf = async () => (await screen.findByText(new RegExp(failure))).closest<HTMLElement>('[role=alert]')!

async function menuOf(name: RegExp) {
  fireEvent.click(within(await rowOf(name)).getByRole('button', { name: /^Actions for/ }))
  return screen.findByRole('menu')
}

test('shows the specified columns, ten a page, from one call', async () => {
  const { api } = open()
  const row = await rowOf(/^harbour.example$/)
  for (const text of ['Ada Lovelace', 'Active', 'Pro Website', 'Full', 'Full (strict)', '3/1/2025', '10/1/2026'])
    expect(within(row).getAllByText(text).length).toBeGreaterThan(0)
  expect(api.calls().map(({ name, query }) => [name, query])).toEqual([['listDomains', { limit: '10', sort: 'name' }]])
  expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent?.replace(/[▲▼]/g, ''))).toEqual([
    ...['', 'Domain', 'Status', 'Plan', 'Type', 'SSL', 'DNSSEC', 'Created', 'Modified', 'Actions'],
  ])
  expect(screen.getByText('31 of 600')).toBeTruthy()
})

test('a row opens its site beside the console; what is no web address opens nothing', async () => {
  open()
  const link = within(await rowOf(/^harbour.example$/)).getByRole('link')
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    ...['https://harbour.example/', '_blank', 'noopener noreferrer'],
  ])
  const row = await rowOf(/onerror/)
  expect(within(row).queryByRole('link')).toBeNull()
  expect(document.querySelector('img')).toBeNull()
  for (const text of ['Being frozen', 'Paused', 'No access', 'Not read yet'])
    expect(within(row).getByText(text)).toBeTruthy()
})

test('the menu has the specified entries, and says why one cannot be used', async () => {
  open()
  const menu = await menuOf(/onerror/)
  const entries = within(menu).getAllByRole('menuitem')
  expect(entries.map((entry) => entry.textContent)).toEqual([
    expect.stringMatching(/^View Details/),
    expect.stringMatching(/^Open Domain/),
    expect.stringMatching(/^View Analytics/),
    expect.stringMatching(/^DNS Records/),
    expect.stringMatching(/^Cloudflare Settings/),
    expect.stringMatching(/^Purge Cache/),
  ])
  expect(entries[4]?.getAttribute('href')).toBeNull()
  expect(entries[2]?.getAttribute('href')).toBe('/admin/domains/zone_2/analytics')
})

test('search and order are the server’s, and stand in the address', async () => {
  const { api } = open('?search=pro&sort=-modified_on')
  await rowOf(/^harbour.example$/)
  expect(api.calls()[0]?.query).toEqual({ limit: '10', search: 'pro', sort: '-modified_on' })
})

test.each([
  ['', 'No domains found'],
  ['?search=x', 'No domains found matching your search'],
])('without rows it says so%s', async (search, text) => {
  open(search, [])
  expect(await screen.findByText(text)).toBeTruthy()
})

test('a failed load says the specified words, and can be dismissed', async () => {
  open('', [], {
    listDomains: () => problem(503, { code: 'provider_unavailable', detail: 'Cloudflare API error: down' }),
  })
  const alert = await alertOf()
  expect(within(alert).getByText('Cloudflare API error: down')).toBeTruthy()
  expect(screen.getByText('The domains could not be loaded.')).toBeTruthy()
  expect(screen.queryByText(/No domains found/)).toBeNull()
  fireEvent.click(within(alert).getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText(new RegExp(failure))).toBeNull()
})

test('rows that could not be made newer stay, with their age and the reason', async () => {
  const old = { message: 'Rate limit of Cloudflare reached', at: '2026-11-21T11:00:00Z' }
  open('', [], { listDomains: () => domainList([aDomain()], { stale: true, problem: old }) })
  const alert = await alertOf()
  expect(alert.textContent).toContain('Showing old data:')
  expect(within(alert).getByText(old.message)).toBeTruthy()
  expect(await rowOf(/^harbour.example$/)).toBeTruthy()
})

test('a refresh is asked for once, and its failure leaves the rows', async () => {
  const { api } = open('', [aDomain()], {
    refreshDomains: () => problem(503, { code: 'provider_rate_limit', detail: 'Slow down' }),
  })
  await rowOf(/^harbour.example$/)
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  await alertOf()
  expect(await rowOf(/^harbour.example$/)).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'refreshDomains')).toHaveLength(1)
})

test('says that Cloudflare is not connected, and where to connect it', async () => {
  open('', [], { listDomains: () => problem(503, { code: 'not_connected', detail: 'Cloudflare is not connected' }) })
  expect(await screen.findByText('Not connected')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'System Config' }).getAttribute('href')).toBe('/admin/config')
  expect(screen.queryByText(new RegExp(failure))).toBeNull()
})

test('the details say what is known, and why the rest is not', async () => {
  open('?open=zone_1', [aDomain()], {
    getDomain: () => ({
      domain: domainDetails({
        ssl: { value: 'full', checked_at: '2026-11-21T08:00:00Z', problem: 'Cloudflare API error: down' },
      }),
    }),
  })
  const dialog = await screen.findByRole('dialog', { name: /harbour.example/ })
  for (const text of ['Full', 'Cloudflare API error: down', 'As expected', 'ada.ns.cloudflare.com', 'zone_1'])
    expect(within(dialog).getAllByText(text).length).toBeGreaterThan(0)
  expect(within(dialog).getByRole('link', { name: 'Harbour Bakery' }).getAttribute('href')).toBe(
    '/admin/sites?open=site_1',
  )
})

const pending = { id: 'zone_3', name: 'quay.example', status: 'pending', name_servers: ['ada.ns.cloudflare.com'] }

test('a domain is added once, and its name servers are told', async () => {
  const { api } = open('', [], {
    addZone: () => ({ zone: pending }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Add Domain' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }))
  const add = () => fireEvent.click(dialog.getByRole('button', { name: 'Add domain' }))
  add()
  expect(await dialog.findByText('Enter a domain')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Domain'), { target: { value: 'quay.example' } })
  add()
  add()
  const added = within(await screen.findByRole('alertdialog', { name: 'Added quay.example' }))
  expect(added.getByText('ada.ns.cloudflare.com')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'addZone')).toMatchObject([{ body: { name: 'quay.example' } }])
})

test.each([
  [null, /^Cloudflare is looking/],
  ['Cloudflare API error: checked less than an hour ago', /checked less than an hour ago/],
])('a domain that waits names its name servers, and Cloudflare is asked to look (%s)', async (refusal, said) => {
  const { api } = open('?open=zone_1', [aDomain()], {
    getDomain: () => ({ domain: domainDetails({ status: 'pending', name_server_state: 'waiting' }) }),
    checkZone: () => ({ zone: pending, checked_at: '2026-11-21T08:00:00Z', refusal }),
  })
  const dialog = within(await screen.findByRole('dialog', { name: /harbour.example/ }))
  expect(await dialog.findByRole('button', { name: 'Copy ada.ns.cloudflare.com' })).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Check now' }))
  expect((await dialog.findByText(said)).getAttribute('role')).toBe('status')
  expect(api.calls().filter(({ name }) => name === 'checkZone')).toMatchObject([{ params: { id: 'zone_1' } }])
})

test('without sites.write no domain is added', async () => {
  open('', [], {}, 'sites.write')
  const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add Domain' })
  expect([add.disabled, add.getAttribute('aria-description')]).toEqual([true, expect.stringMatching(/sites/i)])
})

test('a domain that is not there is said to be gone, without a way to try again', async () => {
  open('?open=zone_9', [aDomain()], { getDomain: () => problem(404, { code: 'not_found' }) })
  const dialog = await screen.findByRole('dialog', { name: 'Domain not found' })
  expect(within(dialog).queryByRole('button', { name: 'Retry' })).toBeNull()
  expect(within(dialog).queryByRole('tab')).toBeNull()
})

test('a purge is confirmed and sent once, with what the dialog said', async () => {
  const { api } = open('', [aDomain()], { purgeCache: () => ({ success: true, purged_at: '2026-11-21T12:00:00Z' }) })
  fireEvent.click(within(await menuOf(/^harbour.example$/)).getByText('Purge Cache'))
  const dialog = await screen.findByRole('alertdialog', { name: 'Purge cache' })
  expect(await within(dialog).findByText('Affects Harbour Bakery (Ada Lovelace)')).toBeTruthy()
  fireEvent.click(within(dialog).getByLabelText('By URL'))
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'https://elsewhere.example/a' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Purge 1 URL' }))
  expect(within(dialog).getByRole('alert').textContent).toContain('does not belong to harbour.example')
  fireEvent.change(within(dialog).getByRole('textbox'), { target: { value: 'https://www.harbour.example/a\n\n' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Purge 1 URL' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  const sent = api.calls().filter(({ name }) => name === 'purgeCache')
  expect(sent.map(({ body }) => body)).toEqual([{ files: ['https://www.harbour.example/a'] }])
  expect(sent[0]?.headers.get('idempotency-key')).toBeTruthy()
})

test.each<[Permission, string]>([
  ['sites.write', 'Purge Cache'],
  ['analytics.read', 'View Analytics'],
])('without %s the entry "%s" names it', async (permission, label) => {
  open('', [aDomain()], {}, permission)
  const entry = within(await menuOf(/^harbour.example$/))
    .getByText(label)
    .closest('[role=menuitem]')!
  expect(entry.getAttribute('aria-disabled')).toBe('true')
  expect(entry.textContent).toContain(permission)
})

test('the caches of several domains are purged one after the other', async () => {
  const { api } = open('', [aDomain(), aDomain({ id: 'zone_3', name: 'cove.example' })], {
    purgeCache: ({ params }) => ({ purge: { id: params.id } }) as never,
  })
  await rowOf(/^harbour.example$/)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  fireEvent.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Purge Cache' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Purge everything of 2 domains' }))
  expect(await dialog.findAllByText('Affects Harbour Bakery (Ada Lovelace)')).toHaveLength(2)
  fireEvent.click(dialog.getByRole('button', { name: 'Purge everything of 2 domains' }))
  await dialog.findByText('2 of 2 done')
  expect(dialog.getByText('Purged the cache of cove.example')).toBeTruthy()
  const purges = api.calls().filter(({ name }) => name === 'purgeCache')
  expect(purges.map(({ params, body }) => [params, body])).toEqual([
    [{ id: 'zone_1' }, { everything: true }],
    [{ id: 'zone_3' }, { everything: true }],
  ])
  expect(new Set(purges.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
})

test('without sites.read nothing is asked', async () => {
  const { api } = open('', [], {}, 'sites.read')
  expect(await screen.findByText('You may not see domains')).toBeTruthy()
  expect(api.calls()).toEqual([])
})
