import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import type { PurchasedSite, PurchaseReset, RefusedSite } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { PurchaseResetPage } from './PurchaseResetPage.tsx'

const data: PurchasedSite['data'] = {
  timestamp: '2026-11-20T12:00:00Z',
  customerEmail: 'ada@example.com',
  customerName: 'Ada Lovelace',
  businessName: 'Harbour Bakery LLC',
  amount: 4000,
  currency: 'usd',
  selectedDomains: ['harbour.example', 'bakery.example'],
  hostingYears: 2,
  stripeSessionId: 'cs_1',
}
const aSite = (part: Partial<PurchasedSite> = {}): PurchasedSite => ({
  id: 'cs_1',
  siteId: 'site_h',
  siteName: 'Harbour Bakery',
  productionUrl: 'https://harbour.example/',
  status: 'completed',
  mode: 'test',
  refundedAmount: 0,
  refusal: null,
  data,
  ...part,
})
const cove = aSite({ id: 'cs_2', siteId: 'site_c', siteName: 'Cove', data: { ...data, stripeSessionId: 'cs_2' } })
const anEntry = (part: Partial<PurchaseReset> = {}): PurchaseReset => ({
  id: 'r1',
  kind: 'reset',
  resetId: null,
  purchaseId: 'cs_1',
  timestamp: '2026-11-21T12:00:00Z',
  siteId: 'site_h',
  siteName: 'Harbour Bakery',
  adminInfo: { type: 'user', id: 'u1', name: 'Grace Hopper' },
  resetReason: 'No reason provided',
  originalPurchaseData: data,
  isUndone: false,
  undoableUntil: '2026-12-21T12:00:00Z',
  undoRefusal: null,
  ...part,
})

type Init = { sites?: PurchasedSite[]; entries?: PurchaseReset[]; refused?: RefusedSite[]; total?: number }

/** A server that resets and undoes as the real one does. */
function mockResets({ sites = [aSite(), cove], entries = [], refused = [], total }: Init = {}) {
  const held = new Set<string>()
  const history = [...entries]
  const reset = (id: string, reason: string | undefined, none: string): PurchaseReset => {
    const site = sites.find((each) => each.id === id)!
    held.add(id)
    const entry = anEntry({
      id: `r_${id}`,
      purchaseId: id,
      siteName: site.siteName,
      resetReason: reason || none,
    })
    history.unshift(entry)
    return entry
  }
  const isRefused = (id: string) => refused.some(({ purchaseId }) => purchaseId === id)
  return mockApi(purchaseReset, {
    listPurchasedSites: () => {
      const left = sites.filter(({ id }) => !held.has(id))
      return { sites: left, has_more: false, total: total ?? left.length, as_of: '2026-11-21T11:00:00Z' }
    },
    listPurchaseResets: () => ({ resets: history, has_more: false, total: history.length }),
    previewPurchaseReset: ({ body }) => {
      const { purchaseIds } = body as { purchaseIds: string[] }
      const chosen = sites.filter(({ id }) => purchaseIds.includes(id) && !isRefused(id))
      const amount = chosen.reduce((sum, site) => sum + (site.data.amount ?? 0), 0)
      const kept = amount > 0 ? [{ amount, currency: 'usd' }] : []
      return { sites: chosen, refused: refused.filter(({ purchaseId }) => purchaseIds.includes(purchaseId)), kept }
    },
    resetPurchase: ({ params, body }) => ({
      success: true,
      reset: reset((params as { id: string }).id, (body as { reason?: string } | null)?.reason, 'No reason provided'),
    }),
    bulkResetPurchases: ({ body }) => {
      const { purchaseIds, reason } = body as { purchaseIds: string[]; reason?: string }
      const resets = purchaseIds
        .filter((id) => !isRefused(id))
        .map((id) => reset(id, reason, 'Bulk reset - no reason provided'))
      return {
        success: resets.length > 0,
        resets,
        refused: refused.filter(({ purchaseId }) => purchaseIds.includes(purchaseId)),
      }
    },
    undoPurchaseReset: ({ params }) => {
      const id = (params as { id: string }).id
      const at = history.findIndex((entry) => entry.id === id)
      const undone = history[at]!
      history[at] = { ...undone, isUndone: true, undoRefusal: 'It was undone already, by Grace Hopper.' }
      held.delete(undone.purchaseId)
      const undo = anEntry({ ...undone, id: `u_${id}`, kind: 'undo', resetId: id, undoableUntil: null })
      history.unshift(undo)
      return { success: true, undo }
    },
  })
}

function open(init: Init = {}, options: Parameters<typeof renderPage>[1] = {}) {
  const api = mockResets(init)
  return { api, ...renderPage(<PurchaseResetPage />, { route: '/admin/purchase-reset', ...options }) }
}
type Api = ReturnType<typeof open>['api']
const callsOf = (api: Api, name: string) => api.calls().filter((call) => call.name === name)
const siteRow = async (name: string) => within((await screen.findByLabelText(`Select ${name}`)).closest('li')!)
const dialogOf = () => screen.findByRole('alertdialog')

test('lists each site with checkbox, name, id, production link, Details and Reset', async () => {
  open()
  const row = await siteRow('Harbour Bakery')
  for (const text of ['Harbour Bakery', 'site_h', '$40.00', 'Demo']) expect(row.getByText(text)).toBeTruthy()
  const link = row.getByRole('link', { name: 'harbour.example' })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://harbour.example/',
    'noopener noreferrer',
  ])
  expect(row.getByRole<HTMLButtonElement>('button', { name: 'Reset Harbour Bakery' }).disabled).toBe(false)
  expect(screen.getByText('2 purchased sites')).toBeTruthy()
  expect(screen.getByText('No resets yet.')).toBeTruthy()
})

test('Details opens everything that the purchase holds, in the address too', async () => {
  const { user } = open()
  const row = await siteRow('Harbour Bakery')
  const toggle = row.getByRole('button', { name: 'Details of Harbour Bakery' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  await user.click(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  for (const text of [
    'Ada Lovelace',
    'ada@example.com',
    'Harbour Bakery LLC',
    '2',
    'harbour.example, bakery.example',
    'cs_1',
  ])
    expect(row.getByText(text)).toBeTruthy()
  expect(row.getByRole('link', { name: 'Show the purchase' }).getAttribute('href')).toBe('/admin/purchases?open=cs_1')
  expect(window.location.search).toBe('?open=cs_1')
  await user.click(toggle)
  expect([window.location.search, row.queryByText('Ada Lovelace')]).toEqual(['', null])
})

test('a reset says what it touches first, then takes the site away and tells so', async () => {
  const { api, user } = open()
  await user.click((await siteRow('Harbour Bakery')).getByRole('button', { name: 'Reset Harbour Bakery' }))
  const dialog = within(await dialogOf())
  expect(await dialog.findByText('No money moves: $40.00 stays paid.')).toBeTruthy()
  expect(dialog.getByText(/purchased on 11\/20\/2026 for \$40\.00/)).toBeTruthy()
  expect(callsOf(api, 'resetPurchase')).toEqual([])
  await user.type(dialog.getByLabelText('Reason (optional)'), '  Ordered twice ')
  await user.dblClick(dialog.getByRole('button', { name: 'Reset purchase status' }))
  const alert = await screen.findByText('Purchase status reset successfully!')
  expect(alert.closest('[role="alert"]')).toBe(document.activeElement)
  await waitFor(() => expect(screen.queryByLabelText('Select Harbour Bakery')).toBeNull())
  const history = within(screen.getByRole('list', { name: 'Reset history' }))
  for (const text of ['Harbour Bakery', 'Reset', 'Grace Hopper', 'Ordered twice'])
    expect(history.getByText(text)).toBeTruthy()
  const sent = callsOf(api, 'resetPurchase')
  expect(sent.map(({ params, body }) => [params, body])).toEqual([[{ id: 'cs_1' }, { reason: 'Ordered twice' }]])
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
})

test('a reset without a reason keeps the words for that', async () => {
  const { user } = open()
  await user.click((await siteRow('Cove')).getByRole('button', { name: 'Reset Cove' }))
  await await within(await dialogOf()).findByText(/No money moves/)
  await user.click(screen.getByRole('button', { name: 'Reset purchase status' }))
  expect(await screen.findByText('No reason provided')).toBeTruthy()
})

test('a reset that fails says so in its dialog; another try goes under the same key', async () => {
  const { api, user } = open()
  mockApi(purchaseReset, { resetPurchase: () => problem(503, { detail: 'The database cannot be reached.' }) })
  await user.click((await siteRow('Cove')).getByRole('button', { name: 'Reset Cove' }))
  const dialog = within(await dialogOf())
  await dialog.findByText(/No money moves/)
  for (let time = 0; time < 2; time++) {
    await user.click(dialog.getByRole('button', { name: 'Reset purchase status' }))
    expect((await dialog.findByText('Failed to reset purchase status.')).closest('[role="alert"]')).toBeTruthy()
    expect(dialog.getByText('The database cannot be reached.')).toBeTruthy()
  }
  const keys = callsOf(api, 'resetPurchase').map(({ headers }) => headers.get('idempotency-key'))
  expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  expect(await siteRow('Cove')).toBeTruthy()
})

test('a bulk reset of nothing asks for a site', async () => {
  const { api, user } = open()
  await siteRow('Cove')
  await user.click(screen.getByRole('button', { name: 'Bulk Reset' }))
  const text = await screen.findByText('Please select at least one site to reset.')
  expect(text.closest('[role="alert"]')).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(callsOf(api, 'previewPurchaseReset')).toEqual([])
})

test('Select All, Clear Selection and the count', async () => {
  const { user } = open()
  await siteRow('Cove')
  expect(screen.getByText('0 selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Select All' }))
  expect(screen.getByText('2 selected')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Select Cove').checked).toBe(true)
  await user.click(screen.getByLabelText('Select Cove'))
  expect(screen.getByText('1 selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear Selection' }))
  expect(screen.getByText('0 selected')).toBeTruthy()
})

test('a bulk reset tells how many were reset and which were not, and clears the selection', async () => {
  const refused = [{ purchaseId: 'cs_2', siteName: 'Cove', reason: 'Live purchase: refund in full first.' }]
  const { api, user } = open({ refused })
  await siteRow('Cove')
  await user.click(screen.getByRole('button', { name: 'Select All' }))
  await user.click(screen.getByRole('button', { name: 'Bulk Reset' }))
  const dialog = within(await dialogOf())
  expect(await dialog.findByText('1 site is not reset:')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Reset 1 site' }))
  expect(await screen.findByText('Successfully reset 1 site(s)!')).toBeTruthy()
  const alert = within(screen.getByText('Successfully reset 1 site(s)!').closest<HTMLElement>('[role="alert"]')!)
  expect(alert.getByText(/Live purchase/)).toBeTruthy()
  expect(screen.getByText('0 selected')).toBeTruthy()
  expect(await screen.findByText('Bulk reset - no reason provided')).toBeTruthy()
  expect(callsOf(api, 'bulkResetPurchases')[0]?.body).toEqual({ purchaseIds: ['cs_1', 'cs_2'], reason: '' })
})

test('a bulk reset of which nothing can be done is not sent', async () => {
  const reason = 'Live purchase: refund in full first.'
  const refused = ['cs_1', 'cs_2'].map((purchaseId) => ({ purchaseId, siteName: 'Cove', reason }))
  const { api, user } = open({ refused })
  await siteRow('Cove')
  await user.click(screen.getByRole('button', { name: 'Select All' }))
  await user.click(screen.getByRole('button', { name: 'Bulk Reset' }))
  const dialog = within(await dialogOf())
  await dialog.findByText('2 sites are not reset:')
  await user.click(dialog.getByRole('button', { name: 'Reset 0 sites' }))
  expect(await dialog.findByText('None of these sites can be reset now')).toBeTruthy()
  expect(callsOf(api, 'bulkResetPurchases')).toEqual([])
})

test('a bulk reset that fails, or of which nothing was done meanwhile, says so', async () => {
  const { user } = open()
  await siteRow('Cove')
  await user.click(screen.getByRole('button', { name: 'Select All' }))
  mockApi(purchaseReset, { bulkResetPurchases: () => problem(500, { detail: 'Broken' }) })
  await user.click(screen.getByRole('button', { name: 'Bulk Reset' }))
  const dialog = within(await dialogOf())
  await dialog.findByText(/No money moves/)
  await user.click(dialog.getByRole('button', { name: 'Reset 2 sites' }))
  expect(await dialog.findByText('Failed to perform bulk reset.')).toBeTruthy()
  const refused = [{ purchaseId: 'cs_1', siteName: 'Harbour Bakery', reason: 'Already reset.' }]
  mockApi(purchaseReset, { bulkResetPurchases: () => ({ success: false, resets: [], refused }) })
  await user.click(dialog.getByRole('button', { name: 'Reset 2 sites' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByText('Failed to perform bulk reset.')).toBeTruthy()
  expect(screen.getByText(/Already reset/)).toBeTruthy()
})

test('an undo brings the site back and is told in the history', async () => {
  const { api, user } = open()
  await user.click((await siteRow('Harbour Bakery')).getByRole('button', { name: 'Reset Harbour Bakery' }))
  await within(await dialogOf()).findByText(/No money moves/)
  await user.click(screen.getByRole('button', { name: 'Reset purchase status' }))
  await screen.findByText('Purchase status reset successfully!')
  await user.click(await screen.findByRole('button', { name: 'Undo the reset of Harbour Bakery' }))
  const dialog = within(await dialogOf())
  expect(dialog.getByText(/is marked as purchased again/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Undo reset' }))
  expect(await screen.findByText('Undid the reset of Harbour Bakery.')).toBeTruthy()
  expect(await siteRow('Harbour Bakery')).toBeTruthy()
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo the reset of Harbour Bakery' })).toBeNull()
  expect(callsOf(api, 'undoPurchaseReset')[0]?.params).toEqual({ id: 'r_cs_1' })
})

test('the history shows the original data, and why something cannot be undone any more', async () => {
  const undoRefusal = 'It was reset more than 30 days ago. The history keeps it.'
  const { user } = open({ sites: [], entries: [anEntry({ undoRefusal, resetReason: 'Because <b>' })] })
  expect(await screen.findByText('Because <b>')).toBeTruthy()
  const undo = screen.getByRole<HTMLButtonElement>('button', { name: 'Undo the reset of Harbour Bakery' })
  expect([undo.disabled, undo.getAttribute('aria-description')]).toEqual([true, undoRefusal])
  await user.click(screen.getByRole('button', { name: 'Original data of Harbour Bakery' }))
  for (const text of ['Ada Lovelace', '$40.00', 'cs_1', 'site_h']) expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByText('No purchased sites')).toBeTruthy()
})

test('a live purchase says so, and why it cannot be reset', async () => {
  const refusal = 'Live purchase: refund in full first.'
  const { user } = open({ sites: [aSite({ mode: 'live', refusal })] })
  const row = await siteRow('Harbour Bakery')
  expect(row.getByText('Live')).toBeTruthy()
  const button = row.getByRole<HTMLButtonElement>('button', { name: 'Reset Harbour Bakery' })
  expect([button.disabled, button.getAttribute('aria-description')]).toEqual([true, refusal])
  await user.click(row.getByRole('button', { name: 'Details of Harbour Bakery' }))
  expect(row.getByText(`Cannot be reset now. ${refusal}`)).toBeTruthy()
})

test('without the permission nothing can be pressed, and the reason is named', async () => {
  open({ entries: [anEntry()] }, { session: testSession(['billing.read']) })
  const row = await siteRow('Cove')
  const buttons = [
    row.getByRole<HTMLButtonElement>('button', { name: 'Reset Cove' }),
    screen.getByRole<HTMLButtonElement>('button', { name: 'Bulk Reset' }),
    await screen.findByRole<HTMLButtonElement>('button', { name: 'Undo the reset of Harbour Bakery' }),
  ]
  for (const button of buttons) {
    expect(button.disabled).toBe(true)
    expect(button.getAttribute('aria-description')).toBe('Needs the permission billing.write')
  }
})

test('whoever may not see purchases asks for none', async () => {
  const { api } = open({}, { session: testSession(['sites.read']) })
  expect(await screen.findByText('You may not see purchases')).toBeTruthy()
  expect(api.calls()).toEqual([])
})

test('a failed load says so and can be tried again', async () => {
  mockResets()
  let fails = true
  mockApi(purchaseReset, {
    listPurchasedSites: () =>
      fails
        ? problem(503, { detail: 'The database cannot be reached.' })
        : { sites: [aSite()], has_more: false, total: 1, as_of: '2026-11-21T11:00:00Z' },
  })
  const { user } = renderPage(<PurchaseResetPage />, { route: '/admin/purchase-reset' })
  expect(await screen.findByText('Failed to load purchase data')).toBeTruthy()
  expect(screen.getByText('The purchased sites could not be loaded.')).toBeTruthy()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await siteRow('Harbour Bakery')).toBeTruthy()
  expect(screen.queryByText('Failed to load purchase data')).toBeNull()
})

test('a search goes to both lists; an empty answer names it', async () => {
  const { api, user } = open({ sites: [] })
  await screen.findByText('No purchased sites')
  await user.type(screen.getByRole('searchbox', { name: 'Search site, id or email' }), 'cove{Enter}')
  expect(await screen.findByText('No purchased site matches')).toBeTruthy()
  for (const name of ['listPurchasedSites', 'listPurchaseResets'])
    await waitFor(() => expect(callsOf(api, name).at(-1)?.query['search']).toBe('cove'))
  expect(window.location.search).toBe('?search=cove')
})

test('hostile and very long names stay text, on a phone too', async () => {
  showOn('phone')
  const siteName = `<img src=x onerror=alert(1)>${'A very long name '.repeat(8)}`
  open({ sites: [aSite({ siteName, productionUrl: 'javascript:alert(1)' })] })
  expect(await screen.findByText(siteName.trim())).toBeTruthy()
  expect(document.querySelector('img, [href^="javascript"]')).toBeNull()
})
