import * as billing from '@agency/contract/descriptors/billing'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as search from '@agency/contract/descriptors/search'
import type { Hit, Permission } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { deploymentDetailsOf } from '../../../test/deployments.ts'
import { aPayment, paymentDetails } from '../../../test/fixtures.ts'
import { mockApi } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { Palette } from './Palette.tsx'

const at = '2026-11-02T10:00:00Z'
const named = (kind: string, id: string, title: string, page: string) => ({
  ...{ id, title, detail: `${kind} of tests`, path: `/admin/${page}?open=${id}` },
})
const customer: Hit = {
  kind: 'customer',
  ...named('customer', 'cus_1', 'Ada Lovelace', 'customers'),
  ...{ status: 'active', deleted: false },
}
const site = (id: string, title: string, more: object = {}): Hit => ({
  kind: 'site',
  ...named('site', id, title, 'sites'),
  ...{ status: 'active', health: 'healthy', ...more },
})
const domain: Hit = {
  kind: 'domain',
  ...named('domain', 'zone_1', 'harbor.example', 'domains'),
  ...{ status: 'active', paused: true },
}
const deployment: Hit = {
  kind: 'deployment',
  ...named('deployment', 'dep_1', 'Harbor Dental', 'deployments'),
  ...{ status: 'failed', created_at: at },
}

type Answer = { exact: boolean; hits: Hit[] }
let answers: Record<string, Answer | Promise<Answer>>

beforeEach(() => {
  answers = {}
  mockApi(search, { searchAll: ({ query }) => answers[query['q'] ?? ''] ?? { exact: false, hits: [] } })
})

const asked = () =>
  mockApi(search, {})
    .calls()
    .flatMap(({ name, query }) => (name === 'searchAll' ? [query['q']] : []))

async function openPalette(permissions?: Permission[], route = '/admin/alerts') {
  const { user } = renderPage(<Palette />, { route, session: testSession(permissions) })
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Search the console' })
  return { user }
}

const options = (group: string) => within(screen.getByRole('group', { name: group })).queryAllByRole('option')
const titles = (group: string) => options(group).map((option) => option.querySelector('bdi')?.textContent)
const active = () => document.getElementById(screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '')
const address = () => window.location.pathname + window.location.search

test('sites, domains and deployments tell how they are', async () => {
  answers['harbor'] = { exact: false, hits: [site('site_1', 'Harbor Dental', { health: 'down' }), domain, deployment] }
  const { user } = await openPalette()
  await user.keyboard('harbor')
  await screen.findByRole('group', { name: 'Sites' })
  expect(options('Sites')[0]?.textContent).toBe('Harbor DentalActiveDownsite of tests')
  expect(options('Domains')[0]?.textContent).toBe('harbor.exampleActivePauseddomain of tests')
  expect(options('Deployments')[0]?.textContent).toBe('Harbor DentalFaileddeployment of tests11/2/2026')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/sites?open=site_1'))
})

const groupNames = () => screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))

test('a name that begins with the term comes before a screen of which only a word does', async () => {
  answers['sites'] = { exact: false, hits: [site('site_1', 'Sitesmith'), { ...customer, title: 'Ada of Sites' }] }
  const { user } = await openPalette()
  await user.keyboard('sites')
  await screen.findByRole('group', { name: 'Sites' })
  expect(groupNames()).toEqual(['Sites', 'Screens', 'Customers'])
  expect(active()?.textContent).toContain('Sitesmith')
})

test('a screen that begins with the term stays before what the server finds', async () => {
  answers['alerts'] = { exact: false, hits: [site('site_1', 'Alerts of Ada')] }
  const { user } = await openPalette()
  await user.keyboard('alerts')
  await screen.findByRole('group', { name: 'Sites' })
  expect(groupNames()).toEqual(['Screens', 'Sites'])
})

test('a verb with a name does it: the site is deployed, and the toast leads to its log', async () => {
  answers['harb'] = {
    exact: false,
    hits: [
      site('site_1', 'Harbor Dental'),
      site('site_2', 'Harbor Bank', { status: 'suspended' }),
      deployment,
      customer,
    ],
  }
  const started = mockApi(deployments, {
    createDeployment: () => ({ deployment: deploymentDetailsOf({ id: 'dep_7' }), is_repeat: false }),
  })
  const { user } = await openPalette()
  await user.paste('deploy harb')
  await screen.findByRole('group', { name: 'Commands' })
  expect(titles('Commands')).toEqual(['Deploy Harbor Dental'])
  expect(screen.queryByRole('group', { name: 'Customers' })).toBeNull()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Deploying Harbor Dental')).toBeDefined()
  expect(screen.getByRole('link', { name: 'View log' }).getAttribute('href')).toBe('/admin/deployments?open=dep_7')
  const made = started.calls().filter(({ name }) => name === 'createDeployment')
  expect(made.map(({ params }) => params)).toEqual([{ id: 'site_1' }])
  expect(made[0]?.headers.get('idempotency-key')).toBeTruthy()
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
})

test.each([
  ['what it was shown', 'Harbor Dental', 1],
  ['nothing that was not shown', 'Harbor Bank', 0],
])('Enter before the answer to the last letters does %s', async (_, title, count) => {
  let tell: (answer: Answer) => void = () => {}
  answers['harb'] = { exact: false, hits: [site('site_1', 'Harbor Dental')] }
  answers['harbor'] = new Promise((resolve) => {
    tell = resolve
  })
  const started = mockApi(deployments, {
    createDeployment: () => ({ deployment: deploymentDetailsOf({ id: 'dep_7' }), is_repeat: false }),
  })
  const made = () => started.calls().filter(({ name }) => name === 'createDeployment')
  const { user } = await openPalette()
  await user.paste('deploy harb')
  await screen.findByRole('group', { name: 'Commands' })
  await user.paste('or')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(asked()).toEqual(['harb', 'harbor']))
  expect(made()).toEqual([])
  tell({ exact: false, hits: [site(title === 'Harbor Dental' ? 'site_1' : 'site_2', title)] })
  if (count > 0) expect(await screen.findByText(`Deploying ${title}`)).toBeDefined()
  else await waitFor(() => expect(titles('Commands')).toEqual([`Deploy ${title}`]))
  expect(made()).toHaveLength(count)
})

test('for whoever may not deploy the verb is a word like any other', async () => {
  const { user } = await openPalette(['sites.read'])
  await user.paste('deploy harb')
  await waitFor(() => expect(asked()).toEqual(['deploy harb']))
  expect(screen.queryByRole('group', { name: 'Commands' })).toBeNull()
})

test('on the page of a payment its refund comes first, and opens its dialog', async () => {
  const paid = aPayment({ id: 'pi_9', amount: 4900, refundable_amount: 4900 })
  mockApi(billing, { getPayment: () => ({ payment: paymentDetails(paid) }) })
  const { user } = await openPalette(undefined, '/admin/payments?open=pi_9')
  expect(titles('On this page')).toEqual(['Refund this payment'])
  await user.keyboard('refund{Enter}')
  expect(await screen.findByRole('alertdialog', { name: 'Refund payment' })).toBeDefined()
})

test('a payment of which nothing can go back says why', async () => {
  const gone = aPayment({ id: 'pi_9', status: 'refunded', refundable_amount: 0 })
  mockApi(billing, { getPayment: () => ({ payment: paymentDetails(gone) }) })
  const { user } = await openPalette(undefined, '/admin/payments?open=pi_9')
  await user.keyboard('refund{Enter}')
  expect(await screen.findByText('The payment cannot be refunded. Fully refunded.')).toBeDefined()
})

test.each([
  ['/admin/payments?open=pi_9', ['billing.read'], []],
  ['/admin/payments', ['billing.read', 'billing.write'], []],
  ['/admin/sites?open=site_1', ['sites.read', 'sites.write'], ['Edit this site', 'Deployments of this site']],
  ['/admin/domains?open=zone_1', ['sites.read', 'analytics.read'], ['Analytics of this domain']],
] as [string, Permission[], string[]][])('on %s whoever holds %j can %j', async (route, held, expected) => {
  await openPalette(held, route)
  expect(screen.queryByRole('group', { name: 'On this page' }) ? titles('On this page') : []).toEqual(expected)
})
