import * as billing from '@agency/contract/descriptors/billing'
import * as customerLifecycle from '@agency/contract/descriptors/customer-lifecycle'
import * as customers from '@agency/contract/descriptors/customers'
import type { LifecyclePreview, LifecycleRun } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { aCustomer, customerDetails, someStats } from '../../../../test/fixtures.ts'
import { mockApi, problem } from '../../../../test/mock-api.ts'
import { allPermissions, renderPage, testSession } from '../../../../test/render.tsx'
import { CustomersPage } from '../CustomersPage.tsx'

const route = '/admin/customers'
const ada = aCustomer()

const aPreview = (given: Partial<LifecyclePreview> = {}): LifecyclePreview => ({
  kind: 'suspend',
  subscriptions: [
    { id: 'sub_1', plan_name: 'Pro', status: 'active', mrr: 4900, currency: 'usd', change: 'paused', note: null },
  ],
  mrr_change: [{ amount: -4900, currency: 'usd' }],
  open_invoices: { count: 1, amounts: [{ amount: 1250, currency: 'usd' }], note: 'They stay open and can be paid' },
  sites: { count: 0, domains: 0, note: 'No sites affected' },
  mails: [],
  steps: [],
  undo: { until: null, text: 'It can be lifted at any time' },
  warnings: [],
  blocked: null,
  typed_name: 'Ada Lovelace',
  ...given,
})

const aRun = (given: Partial<LifecycleRun> = {}): LifecycleRun => ({
  ...{ id: 'run_1', kind: 'suspend', state: 'failed', actor_name: 'Grace', created_at: '2026-11-21T09:00:00Z' },
  ...{ finished_at: null, next_try_at: null, can_cancel: false, can_retry: true },
  steps: [
    {
      ...{ position: 0, kind: 'record', target_id: null, title: 'Mark the account as suspended', state: 'done' },
      ...{ note: null, attempts: 1, finished_at: null },
    },
    {
      ...{ position: 1, kind: 'pause', target_id: 'sub_1', title: 'Pause the collection of sub_1', state: 'failed' },
      ...{ note: 'Stripe refused this', attempts: 2, finished_at: null },
    },
  ],
  ...given,
})

beforeEach(() => {
  mockApi(billing, { getStats: () => ({ stats: someStats() }) })
  mockApi(customers, {
    listCustomers: () => ({ customers: [ada], has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' }),
    getCustomer: () => ({ customer: customerDetails() }),
  })
  mockApi(customerLifecycle, { getLifecycle: () => ({ suspension: null, deletion: null, runs: [] }) })
})

test('says what a suspension reaches, and sends it once for a double click', async () => {
  const api = mockApi(customerLifecycle, {
    previewSuspension: ({ query }) => ({ preview: aPreview({ warnings: [`Because of ${query['reason']}`] }) }),
    suspendCustomer: () => ({ run: aRun({ state: 'waiting' }) }),
  })
  const { user } = renderPage(<CustomersPage />, { route: `${route}?act=suspend&who=${ada.id}` })
  const dialog = await screen.findByRole('alertdialog', { name: 'Suspend Account: Ada Lovelace' })
  expect(dialog.textContent).toContain('Collection of 1 subscription is paused: Pro ($49.00 a month)')
  expect(dialog.textContent).toContain('Monthly recurring revenue changes by -$49.00')
  expect(dialog.textContent).toContain('1 open invoice ($12.50): they stay open and can be paid')
  await user.click(within(dialog).getByLabelText('Abuse'))
  await within(dialog).findByText('Because of abuse')
  await user.dblClick(within(dialog).getByRole('button', { name: 'Suspend account' }))
  await screen.findByText('Suspending Ada Lovelace')
  const sent = api.calls().filter(({ name }) => name === 'suspendCustomer')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.body).toEqual({ reason: 'abuse', note: null, billing: 'keep', notice: false })
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
})

test('wants a note where the reason is another one', async () => {
  const api = mockApi(customerLifecycle, {
    previewSuspension: ({ query }) => ({ preview: aPreview({ warnings: [`Because of ${query['reason']}`] }) }),
  })
  const { user } = renderPage(<CustomersPage />, { route: `${route}?act=suspend&who=${ada.id}` })
  const dialog = await screen.findByRole('alertdialog', { name: /Ada Lovelace/ })
  await user.click(within(dialog).getByLabelText('Another reason'))
  await within(dialog).findByText('Because of other')
  await user.click(await within(dialog).findByRole('button', { name: 'Suspend account' }))
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Enter a note')
  expect(api.calls().some(({ name }) => name === 'suspendCustomer')).toBe(false)
})

test('names the permission that pausing needs, and what stands in the way', async () => {
  mockApi(customerLifecycle, {
    previewSuspension: () => ({ preview: aPreview({ blocked: 'This customer is already suspended' }) }),
  })
  const session = testSession(allPermissions.filter((permission) => permission !== 'billing.write'))
  const { user } = renderPage(<CustomersPage />, { route: `${route}?act=suspend&who=${ada.id}`, session })
  const dialog = await screen.findByRole('alertdialog', { name: /Ada Lovelace/ })
  const pause = within(dialog).getByLabelText<HTMLInputElement>(
    /Pause, void invoices \(Needs the permission billing.write\)/,
  )
  expect(pause.disabled).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Suspend account' }))
  expect((await within(dialog).findByRole('alert')).textContent).toBe('This customer is already suspended')
})

test('wants the name typed before it deletes at Stripe', async () => {
  const api = mockApi(customerLifecycle, {
    previewDeletion: ({ query }) => ({
      preview: aPreview({ kind: 'delete', warnings: [`At Stripe: ${query['at_stripe']}`] }),
    }),
    deleteCustomer: () =>
      problem(409, { code: 'conflict', detail: 'Something else is being done. Nothing was changed.' }),
  })
  const { user } = renderPage(<CustomersPage />, { route: `${route}?act=delete&who=${ada.id}` })
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete Customer: Ada Lovelace' })
  await user.click(within(dialog).getByLabelText(/Also delete at Stripe/))
  await within(dialog).findByText('At Stripe: true')
  const button = within(dialog).getByRole('button', { name: 'Delete here and at Stripe' })
  await user.click(button)
  expect((await within(dialog).findByRole('alert')).textContent).toBe('Type Ada Lovelace to confirm')
  await user.type(within(dialog).getByLabelText('Type Ada Lovelace to confirm'), 'Ada Lovelace')
  await user.click(button)
  expect((await within(dialog).findByText(/Nothing was changed/)).textContent).toContain('Something else')
  const [sent] = api.calls().filter(({ name }) => name === 'deleteCustomer')
  expect(sent?.body).toEqual({ at_stripe: true, typed_name: 'Ada Lovelace' })
})

test('shows the steps of a suspension that failed, and tries again', async () => {
  const api = mockApi(customerLifecycle, {
    getLifecycle: () => ({
      suspension: { at: '2026-11-21T09:00:00Z', reason: 'abuse', note: 'Spam', by: 'Grace', awaited_invoices: [] },
      deletion: null,
      runs: [aRun()],
    }),
    retryLifecycleRun: () => ({ run: aRun({ state: 'running' }) }),
  })
  const { user } = renderPage(<CustomersPage />, { route: `${route}?open=${ada.id}` })
  const account = await screen.findByRole('region', { name: 'State of the account' })
  expect(account.textContent).toContain('Suspended by Grace')
  expect(
    within(account)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Mark the account as suspendedDone', 'Pause the collection of sub_1FailedStripe refused this'])
  await user.click(within(account).getByRole('button', { name: 'Try Again' }))
  await expect.poll(() => api.calls().filter(({ name }) => name === 'retryLifecycleRun')).toHaveLength(1)
})

test('offers to restore and to erase what is deleted', async () => {
  mockApi(customers, {
    listCustomers: () => ({
      customers: [aCustomer({ status: 'deleted' })],
      has_more: false,
      total: 1,
      as_of: '2026-11-21T11:00:00Z',
    }),
  })
  const { user } = renderPage(<CustomersPage />, { route: `${route}?status=deleted` })
  await user.click(await screen.findByRole('button', { name: /Actions for Ada/ }))
  const items = within(await screen.findByRole('menu')).getAllByRole('menuitem')
  expect(items.map((item) => item.firstChild?.textContent)).toEqual([
    ...['View Details', 'Edit Customer', 'New Subscription', 'Impersonate', 'Restore Customer', 'Erase now'],
  ])
})

test('suspends several accounts at once: each with its preview, left out or told with its outcome', async () => {
  const bob = aCustomer({ id: 'cus_2', name: 'Bob' })
  const cy = aCustomer({ id: 'cus_3', name: 'Cy', status: 'suspended' })
  mockApi(customers, {
    listCustomers: () => ({ customers: [ada, bob, cy], has_more: false, total: 3, as_of: '2026-11-21T11:00:00Z' }),
  })
  const api = mockApi(customerLifecycle, {
    previewSuspension: ({ query }) => ({ preview: aPreview({ warnings: [`Because of ${query['reason']}`] }) }),
    suspendCustomer: ({ params }) =>
      params.id === 'cus_2'
        ? problem(409, { code: 'conflict', detail: 'Another run is under way' })
        : { run: aRun({ state: 'waiting' }) },
  })
  const { user } = renderPage(<CustomersPage />, { route })
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }))
  const bar = within(screen.getByRole('toolbar', { name: 'Selected rows' }))
  await user.click(bar.getByRole('button', { name: 'Suspend' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Suspend 3 accounts' }))
  const rowOf = (name: string) => dialog.getByText(name).closest('li')!
  expect(rowOf('Cy').textContent).toBe('CyLeft outAlready suspended')
  await user.click(dialog.getByLabelText('Abuse'))
  await waitFor(() => expect(rowOf('Ada Lovelace').textContent).toContain('Because of abuse'))
  await user.click(await dialog.findByRole('button', { name: 'Suspend 2 accounts' }))
  await dialog.findByText('1 of 2 done, 1 failed')
  expect(rowOf('Ada Lovelace').textContent).toBe('Ada LovelaceDoneSuspending')
  expect(rowOf('Bob').textContent).toContain('FailedAnother run is under way')
  const body = { reason: 'abuse', note: null, billing: 'keep', notice: false }
  const sent = api.calls().filter(({ name }) => name === 'suspendCustomer')
  expect(sent.map((call) => [call.params, call.body])).toEqual([
    [{ id: 'cus_1' }, body],
    [{ id: 'cus_2' }, body],
  ])
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull())
})

test('whoever may not change customers has nothing to select', async () => {
  const session = testSession(allPermissions.filter((permission) => permission !== 'customers.write'))
  renderPage(<CustomersPage />, { route, session })
  await screen.findByRole('link', { name: /Ada Lovelace/ })
  expect(screen.queryByRole('checkbox')).toBeNull()
})
