import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi } from '../../test/mock-api.ts'
import { allPermissions, signInAs, testSession } from '../../test/render.tsx'
import { q } from '../lib/api.ts'
import { LoadedPage, loadPage, type PageModule, startQueries } from './page.tsx'

const Rows = () => <p>rows</p>
const rowsPage: PageModule = { Page: Rows }
const url = new URL('http://localhost/admin/customers?status=active')

test('a page whose code is there renders at once', async () => {
  const load = async () => rowsPage
  await loadPage(load)
  render(<LoadedPage load={load} />)
  expect(screen.getByText('rows')).toBeDefined()
})

test('a page whose code is on its way shows its place first', async () => {
  render(<LoadedPage load={async () => rowsPage} />)
  expect(screen.getByRole('status', { name: 'Loading' })).toBeDefined()
  expect(await screen.findByText('rows')).toBeDefined()
})

const answers = () => {
  mockApi(billing, { listPlans: () => ({ plans: [] }) as never })
  return mockApi(customers, {
    listCustomers: () => ({ customers: [], has_more: false, total: 0, as_of: '2026-11-21T11:00:00Z' }),
  })
}
const module: PageModule = {
  Page: () => null,
  queriesFor: (params) => [
    q(customers.listCustomers, { query: { status: params.get('status') as 'active' } }),
    q(billing.listPlans, {}),
  ],
}

test('its calls start before it renders, read from the address', async () => {
  signInAs()
  const api = answers()
  const client = new QueryClient()
  await startQueries(client, module, url)
  expect(api.calls().map(({ name, query }) => [name, query])).toEqual([
    ['listCustomers', { status: 'active' }],
    ['listPlans', {}],
  ])
  expect(client.getQueryData(['/stripe/customers', { query: { status: 'active' } }])).toMatchObject({ total: 0 })
})

test('a call that would be refused is not made', async () => {
  signInAs(testSession(allPermissions.filter((permission) => permission !== 'billing.read')))
  const api = answers()
  await startQueries(new QueryClient(), module, url)
  expect(api.calls().map(({ name }) => name)).toEqual(['listCustomers'])
})
