import * as customers from '@agency/contract/descriptors/customers'
import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Impersonation } from '@agency/contract/types'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { customerDetails } from '../../../test/fixtures.ts'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { ImpersonationBanner } from './Banner.tsx'
import { CustomerViewPage } from './CustomerViewPage.tsx'
import { ImpersonationPage } from './ImpersonationPage.tsx'
import { StartFromAddress } from './StartFromAddress.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

const anImpersonation = (part: Partial<Impersonation> = {}): Impersonation => ({
  ...{ id: 'imp_1', way: 'view', state: 'live', customer_id: 'cus_1', customer_name: 'Ada', customer_email: 'ada@e.x' },
  ...{ customer_deleted: false, reason: 'Asked us to look', ticket_id: 'T-1', actor_id: 'u_1', actor_name: 'Grace' },
  ...{ started_at: new Date(Date.now() - 300_000).toISOString(), until: null, ended_at: null, cause: null },
  ...{ ended_by: null, notice: null, pages: ['account'], is_mine: true },
  ...part,
})

const past = (part: Partial<Impersonation> = {}) =>
  anImpersonation({
    ...{
      id: 'imp_2',
      state: 'ended',
      cause: 'time',
      is_mine: false,
      actor_name: 'Bob',
      pages: ['account', 'invoices'],
    },
    ...{ started_at: '2026-11-21T09:00:00Z', ended_at: '2026-11-21T09:30:00Z' },
    ...part,
  })

function mockRows(rows: Impersonation[]) {
  let shown = rows
  const api = mockApi(impersonation, {
    listImpersonations: () => ({ impersonations: shown, has_more: false, total: shown.length }),
    getImpersonation: ({ params }) => ({ impersonation: shown.find(({ id }) => id === params.id)! }),
    getCurrentImpersonation: () => {
      const mine = shown.find((row) => row.is_mine && row.state === 'live') ?? null
      return { impersonation: mine, remaining_s: mine ? 1501 : null }
    },
    endImpersonation: ({ params }) => {
      shown = shown.map((row) =>
        row.id === params.id
          ? { ...row, state: 'ended', cause: 'ended', ended_by: 'Grace', ended_at: row.started_at }
          : row,
      )
      return { impersonation: shown.find(({ id }) => id === params.id)! }
    },
  })
  return { calls: (name: string) => api.calls().filter((call) => call.name === name) }
}

function openStart(session = testSession(), whenAnswered: Promise<void> = Promise.resolve()) {
  const customer = customerDetails({ name: 'Ada <b>L</b>', email: 'ada@e.x' })
  mockApi(customers, { getCustomer: () => whenAnswered.then(() => ({ customer })) })
  return renderPage(<StartFromAddress />, { route: '/admin/customers?impersonate=cus_1', session })
}

const openedTab = () => {
  const replace = vi.fn()
  const close = vi.fn()
  const tab = { opener: window, closed: false, close, document: { title: '' }, location: { replace } }
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window)
  return { tab, replace, close }
}

test('nothing is started before the customer is shown, and the button says so', async () => {
  const answer = Promise.withResolvers<void>()
  const { user } = openStart(testSession(), answer.promise)
  const dialog = within(await screen.findByRole('dialog', { name: 'Impersonate' }))
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Asked us to look')
  const start = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Start view' })
  expect([start().disabled, start().getAttribute('aria-description')]).toEqual([true, 'The customer is still loading'])
  answer.resolve()
  await waitFor(() => expect(start().disabled).toBe(false))
})

test('asks for a reason before anything is sent, and then opens the view', async () => {
  const api = mockApi(impersonation, {
    startView: () => ({ impersonation: anImpersonation() }),
  })
  const { user } = openStart()
  const dialog = await screen.findByRole('dialog', { name: 'Impersonate' })
  expect(await within(dialog).findByText('Ada <b>L</b>')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Start view' }))
  expect(within(dialog).getByText('Give a reason of at least 10 characters').getAttribute('role')).toBe('alert')
  await user.type(within(dialog).getByLabelText('Reason'), 'too    short')
  await user.click(within(dialog).getByRole('button', { name: 'Start view' }))
  expect(api.calls().filter(({ name }) => name === 'startView')).toEqual([])
  await user.type(within(dialog).getByLabelText('Reason'), ' no more')
  await user.type(within(dialog).getByLabelText('Ticket ID (optional)'), 'T-1')
  await user.click(within(dialog).getByRole('button', { name: 'Start view' }))
  await waitFor(() => expect(window.location.pathname).toBe('/admin/impersonation/imp_1'))
  expect(api.calls().find(({ name }) => name === 'startView')?.body).toEqual({
    ...{ customer_id: 'cus_1', reason: 'too    short no more', ticket_id: 'T-1', notify: false },
  })
  // The address is another at once, the screen when it was rendered.
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('sends the tab that was opened in the click to the portal, without a way back to this page', async () => {
  const { tab, replace } = openedTab()
  mockApi(impersonation, {
    openPortal: () => ({
      impersonation: anImpersonation({ way: 'portal', state: 'handed_over' }),
      url: 'https://billing.example/p/secret',
    }),
  })
  const { user, client } = openStart()
  await user.click(await screen.findByRole('radio', { name: /Open the billing portal/ }))
  await user.type(screen.getByLabelText('Reason'), 'Asked us to look')
  await user.click(screen.getByRole('button', { name: 'Open portal' }))
  await waitFor(() => expect(replace).toHaveBeenCalledWith('https://billing.example/p/secret'))
  expect(tab.opener).toBeNull()
  await waitFor(() => expect(window.location.search).toBe(''))
  const kept = JSON.stringify([
    client
      .getQueryCache()
      .getAll()
      .map(({ state }) => state),
    client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state),
  ])
  expect(kept).not.toContain('secret')
})

test('two presses open one tab, and one portal', async () => {
  openedTab()
  const api = mockApi(impersonation, { openPortal: () => new Promise<Response>(() => {}) })
  const { user } = openStart()
  await user.click(await screen.findByRole('radio', { name: /Open the billing portal/ }))
  await user.type(screen.getByLabelText('Reason'), 'Asked us to look')
  const button = screen.getByRole('button', { name: 'Open portal' })
  act(() => {
    button.click()
    button.click()
  })
  await waitFor(() => expect(api.calls().filter(({ name }) => name === 'openPortal')).not.toEqual([]))
  expect(window.open).toHaveBeenCalledTimes(1)
  expect(api.calls().filter(({ name }) => name === 'openPortal')).toHaveLength(1)
})

test('gives a link where the browser opened no tab', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  mockApi(impersonation, {
    openPortal: () => ({ impersonation: anImpersonation({ way: 'portal' }), url: 'https://billing.example/p/1' }),
  })
  const { user } = openStart()
  await user.click(await screen.findByRole('radio', { name: /Open the billing portal/ }))
  await user.type(screen.getByLabelText('Reason'), 'Asked us to look')
  await user.click(screen.getByRole('button', { name: 'Open portal' }))
  const link = await screen.findByRole('link', { name: 'Open the billing portal' })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual(['https://billing.example/p/1', 'noreferrer'])
})

test('closes the tab again when the portal was refused, and keeps what was typed', async () => {
  const { close } = openedTab()
  mockApi(impersonation, {
    openPortal: () => problem(422, { code: 'provider_invalid', detail: 'Stripe refused this: No configuration' }),
  })
  const { user } = openStart()
  await user.click(await screen.findByRole('radio', { name: /Open the billing portal/ }))
  await user.type(screen.getByLabelText('Reason'), 'Asked us to look')
  await user.click(screen.getByRole('button', { name: 'Open portal' }))
  expect(await screen.findByText(/No configuration/)).toBeTruthy()
  expect(close).toHaveBeenCalled()
  expect((screen.getByLabelText('Reason') as HTMLTextAreaElement).value).toBe('Asked us to look')
})

test('offers only the ways that the actor may go', async () => {
  openStart(testSession(['customers.read', 'billing.write']))
  const view = await screen.findByRole('radio', { name: /View the account here/ })
  expect((view as HTMLInputElement).disabled).toBe(true)
  expect(screen.getByText('Needs the permission customers.write')).toBeTruthy()
  expect((screen.getByRole('radio', { name: /Open the billing portal/ }) as HTMLInputElement).checked).toBe(true)
})

test('lists who acted as whom and why, and ends a view of somebody else', async () => {
  const { calls } = mockRows([anImpersonation({ is_mine: false }), past()])
  const { user } = renderPage(<ImpersonationPage />, { route: '/admin/impersonation' })
  const table = await screen.findByRole('table', { name: 'Impersonations' })
  expect((await within(table).findAllByText('Asked us to look')).length).toBe(2)
  expect(within(table).getByText('30 min')).toBeTruthy()
  const [first] = within(table).getAllByRole('button', { name: /Actions for Ada/ })
  await user.click(first!)
  await user.click(await screen.findByRole('menuitem', { name: 'End View' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'End view' })
  expect(dialog.textContent).toContain('Grace stops viewing Ada at once.')
  await user.click(within(dialog).getByRole('button', { name: 'End view' }))
  await waitFor(() => expect(calls('endImpersonation')[0]?.params).toEqual({ id: 'imp_1' }))
  expect(await screen.findByText('View ended')).toBeTruthy()
})

test('shows one with everything that is known, and says why it cannot be ended', async () => {
  mockRows([past({ customer_deleted: true, customer_name: null, customer_email: null })])
  renderPage(<ImpersonationPage />, { route: '/admin/impersonation?open=imp_2' })
  const dialog = await screen.findByRole('dialog', { name: /cus_1/ })
  expect(within(dialog).getByText('Ended after 30 minutes')).toBeTruthy()
  expect(within(dialog).getByText('Account, Invoices')).toBeTruthy()
  const end = within(dialog).getByRole('button', { name: 'End view' })
  expect([(end as HTMLButtonElement).disabled, end.getAttribute('aria-description')]).toEqual([true, 'Already ended'])
  expect(within(dialog).queryByRole('link', { name: 'Open customer' })).toBeNull()
})

test('says where to start when there is none, and names the permission that is missing', async () => {
  const { calls } = mockRows([])
  const { unmount } = renderPage(<ImpersonationPage />, { route: '/admin/impersonation' })
  expect(await screen.findByText('Nobody has impersonated a customer yet')).toBeTruthy()
  unmount()
  const asked = calls('listImpersonations').length
  renderPage(<ImpersonationPage />, { route: '/admin/impersonation', session: testSession(['billing.read']) })
  expect(screen.getByText('Needs the permission customers.read')).toBeTruthy()
  expect(calls('listImpersonations')).toHaveLength(asked)
})

test('counts down above every screen until the view is ended', async () => {
  const { calls } = mockRows([anImpersonation({ customer_name: 'A name of many letters' })])
  const { user } = renderPage(<ImpersonationBanner ready />)
  const banner = await screen.findByRole('complementary', { name: 'Impersonation' })
  expect(within(banner).getByText('A name of many letters')).toBeTruthy()
  expect(within(banner).getByRole('timer').textContent).toMatch(/^2[45]:\d\d$/)
  expect(within(banner).getAllByRole('button')).toHaveLength(1)
  await user.click(within(banner).getByRole('button', { name: 'End' }))
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(calls('endImpersonation')).toHaveLength(1)
})

test('the banner is gone when the time is over, and asks again', async () => {
  let asked = 0
  mockApi(impersonation, {
    getCurrentImpersonation: () => {
      asked++
      return asked === 1
        ? { impersonation: anImpersonation(), remaining_s: 1 }
        : { impersonation: null, remaining_s: null }
    },
  })
  renderPage(<ImpersonationBanner ready />)
  expect(await screen.findByRole('complementary')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  await waitFor(() => expect(asked).toBe(2))
})

test('does not wait for the screen where a view was live a moment ago', async () => {
  mockRows([anImpersonation()])
  const { unmount } = renderPage(<ImpersonationBanner ready />)
  expect(await screen.findByRole('complementary')).toBeTruthy()
  unmount()
  renderPage(<ImpersonationBanner ready={false} />)
  expect(await screen.findByRole('complementary')).toBeTruthy()
})

test('asks nothing for somebody who may not impersonate', () => {
  const { calls } = mockRows([anImpersonation()])
  renderPage(<ImpersonationBanner ready />, { session: testSession(['customers.read']) })
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(calls('getCurrentImpersonation')).toEqual([])
})

const viewRoute = '/admin/impersonation/imp_1'

test('shows the account with its parts, and no more', async () => {
  mockRows([anImpersonation()])
  mockApi(impersonation, {
    viewAccount: () => ({
      account: {
        ...{ id: 'cus_1', name: 'Ada', email: 'ada@e.x', phone: null, company: 'Engines', country: 'GB' },
        created_at: '2026-03-02T10:00:00Z',
      },
    }),
    viewInvoices: () => ({
      invoices: [
        {
          ...{ id: 'in_1', number: 'A-1', status: 'uncollectible', amount_due: 1000, amount_paid: 0 },
          ...{ amount_remaining: 1000, currency: 'usd', created_at: '2026-03-02T10:00:00Z', due_date: null },
          invoice_pdf: 'javascript:alert(1)',
        },
      ],
      has_more: false,
      total: null,
      as_of: '2026-11-21T11:00:00Z',
    }),
    viewSites: () => ({
      sites: [
        {
          ...{ id: 'site_aaaaaaaaaaaaaaaa', site_name: '<b>Harbour</b>', domain: 'harbour.example', status: 'active' },
          ...{ deployment_url: 'javascript:alert(1)', last_deployment: null, created_at: '2026-03-02T10:00:00Z' },
        },
      ],
    }),
  })
  const { user } = renderPage(<CustomerViewPage />, { route: viewRoute })
  expect(await screen.findByText('Engines')).toBeTruthy()
  await user.click(screen.getByRole('link', { name: 'Invoices' }))
  const table = await screen.findByRole('table', { name: 'Invoices' })
  expect(await within(table).findByText('Open')).toBeTruthy()
  expect(within(table).queryByRole('link')).toBeNull()
  await user.click(screen.getByRole('link', { name: 'Sites' }))
  const sites = await screen.findByRole('table', { name: 'Sites' })
  expect(await within(sites).findByText('<b>Harbour</b>')).toBeTruthy()
  expect(within(sites).queryByRole('link')).toBeNull()
})

test.each<[string, Partial<Impersonation>, string]>([
  ['that is over', { state: 'ended', cause: 'signed_out' }, 'Ended at sign-out.'],
  ['that somebody ended', { state: 'ended', cause: 'ended_by_other', ended_by: 'Bob' }, 'Ended by Bob.'],
  ['of another session', { is_mine: false }, 'Only the session that opened the view can see it.'],
  ['at Stripe', { way: 'portal', state: 'handed_over' }, 'Billing portal sessions cannot be shown here.'],
])('shows nothing of the customer in a view %s', async (_what, part, expected) => {
  const { calls } = mockRows([anImpersonation(part)])
  renderPage(<CustomerViewPage />, { route: viewRoute })
  expect(await screen.findByText(expected)).toBeTruthy()
  expect(calls('viewAccount')).toEqual([])
})
