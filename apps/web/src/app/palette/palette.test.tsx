import * as search from '@agency/contract/descriptors/search'
import type { Hit, Permission } from '@agency/contract/types'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, showOn, testSession } from '../../../test/render.tsx'
import { load, save } from '../../lib/storage.ts'
import { isGroup, navigation } from '../navigation.ts'
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
const payment: Hit = {
  kind: 'payment',
  ...named('payment', 'pi_1', 'Ada Lovelace', 'payments'),
  ...{ status: 'failed', amount: 123450, currency: 'usd', created_at: at },
}
const person: Hit = { kind: 'user', ...named('person', 'usr_1', 'Grace Hopper', 'users'), is_active: false }

type Answer = { exact: boolean; hits: Hit[] }
let answers: Record<string, Answer | Promise<Answer> | Response>

beforeEach(() => {
  answers = {}
  mockApi(search, { searchAll: ({ query }) => answers[query['q'] ?? ''] ?? { exact: false, hits: [] } })
})

const asked = () =>
  mockApi(search, {})
    .calls()
    .map(({ query }) => query['q'])

async function openPalette(permissions?: Permission[], route = '/admin/alerts') {
  const { user } = renderPage(<Palette />, { route, session: testSession(permissions) })
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Search the console' })
  return { user, field }
}

const options = (group?: string) => {
  const where = group ? within(screen.getByRole('group', { name: group })) : screen
  return where.queryAllByRole('option')
}
const titles = (group: string) => options(group).map((option) => option.querySelector('bdi')?.textContent)
const active = () => document.getElementById(screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '')
const address = () => window.location.pathname + window.location.search

test('opens with Ctrl K and ⌘ K, also from a field, and closes with either and with Escape', async () => {
  const { user } = renderPage(
    <>
      <input aria-label="Somewhere" />
      <Palette />
    </>,
  )
  const somewhere = screen.getByRole('textbox', { name: 'Somewhere' })
  await user.click(somewhere)
  for (const [open, close] of [
    ['{Control>}k{/Control}', '{Escape}'],
    ['{Meta>}k{/Meta}', '{Meta>}k{/Meta}'],
  ] as const) {
    await user.keyboard(open)
    const field = await screen.findByRole('combobox')
    expect(document.activeElement).toBe(field)
    expect(screen.getByRole('dialog', { name: 'Search' })).toBeDefined()
    await user.keyboard(close)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(somewhere)
  }
  await user.click(screen.getByRole('button', { name: 'Search' }))
  expect(await screen.findByRole('combobox')).toBeDefined()
})

test('what is typed while the field is on its way stands in it, and goes nowhere else', async () => {
  const elsewhere: string[] = []
  const { user } = renderPage(
    <>
      <input aria-label="Somewhere" onKeyDown={({ key }) => elsewhere.push(key)} />
      <Palette />
    </>,
  )
  await user.click(screen.getByRole('textbox', { name: 'Somewhere' }))
  // Without a turn in between: nothing can have been loaded.
  for (const init of [
    { key: 'k', ctrlKey: true },
    { key: 'a' },
    { key: 'x' },
    { key: 'Backspace' },
    { key: 'd' },
    { key: 'Enter' },
  ])
    fireEvent.keyDown(document.activeElement ?? document.body, init)
  expect(elsewhere).toEqual(['k'])
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search the console' })
  await user.keyboard('a')
  expect(field.value).toBe('ada')
  await user.keyboard('{Escape}{Control>}k{/Control}')
  expect((await screen.findByRole<HTMLInputElement>('combobox')).value).toBe('')
})

test('other keys with K leave it closed', async () => {
  const { user } = renderPage(<Palette />)
  await user.keyboard('k{Control>}{Shift>}k{/Shift}{/Control}{Alt>}{Control>}k{/Control}{/Alt}')
  expect(screen.getByRole('button', { name: 'Search' }).getAttribute('aria-expanded')).toBe('false')
})

test('without a term shows every screen and the actions, and asks nothing', async () => {
  await openPalette()
  expect(titles('Screens')).toHaveLength(navigation.flatMap((entry) => (isGroup(entry) ? entry.items : [entry])).length)
  expect(titles('Actions')).toContain('Add Admin User')
  expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
  expect(asked()).toEqual([])
})

test('two letters narrow screens and actions, and say what more would do', async () => {
  const { user } = await openPalette()
  await user.keyboard('pa')
  expect(titles('Screens')).toEqual(['Payment History'])
  expect(screen.getByRole('status').textContent).toBe(
    'Type 3 characters or more to search customers, sites, domains, deployments, subscriptions, payments, invoices, purchases and people too.',
  )
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(asked()).toEqual([])
})

test('a screen is reached with the keys alone', async () => {
  const { user } = await openPalette()
  await user.keyboard('metrics{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/metrics'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a purchase is told by its site, with what became of it, and without an amount that is not known', async () => {
  const purchase: Hit = {
    kind: 'purchase',
    ...named('purchase', 'cs_1', 'Bakery', 'purchases'),
    ...{ status: 'pending', amount: null, currency: 'usd', created_at: at },
  }
  answers['bak'] = { exact: false, hits: [purchase] }
  const { user } = await openPalette()
  await user.keyboard('bak')
  await screen.findByRole('group', { name: 'Purchases' })
  const [option] = options('Purchases')
  expect(option?.textContent).toContain('Pending')
  expect(option?.textContent).not.toContain('$')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/purchases?open=cs_1'))
})

test('the arrows, Home and End move over all groups and around', async () => {
  answers['ada'] = { exact: false, hits: [customer, payment, person] }
  const { user, field } = await openPalette()
  await user.keyboard('ada')
  await screen.findByRole('group', { name: 'People' })
  const marked = () => options().map((option) => option.getAttribute('aria-selected') === 'true')
  expect(marked()).toEqual([true, false, false])
  await user.keyboard('{ArrowDown}')
  expect(marked()).toEqual([false, true, false])
  await user.keyboard('{End}')
  expect(active()?.textContent).toContain('Grace Hopper')
  await user.keyboard('{ArrowDown}')
  expect(marked()).toEqual([true, false, false])
  await user.keyboard('{ArrowUp}')
  expect(marked()).toEqual([false, false, true])
  await user.keyboard('{Home}{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/payments?open=pi_1'))
  expect(field.isConnected).toBe(false)
})

/** A digit that names nothing, and one before the answer. */
async function pressEarly() {
  const answer = Promise.withResolvers<Answer>()
  answers['ada'] = { exact: false, hits: [customer, payment, person] }
  answers['adam'] = answer.promise
  const { user } = await openPalette()
  await user.keyboard('ada')
  await screen.findByRole('group', { name: 'People' })
  expect(options().map((option) => option.getAttribute('aria-keyshortcuts'))).toEqual(['Alt+1', 'Alt+2', 'Alt+3'])
  await user.keyboard('{Alt>}9{/Alt}m')
  await waitFor(() => expect(asked()).toEqual(['ada', 'adam']))
  await user.keyboard('{Alt>}2{/Alt}')
  expect(address()).toBe('/admin/alerts')
  return { user, answer }
}

test('Alt and a digit choose one of the first nine, as it says, and nothing that takes the place of what was seen', async () => {
  const { user, answer } = await pressEarly()
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('adam')
  answer.resolve({ exact: false, hits: [person, payment] })
  await waitFor(() => expect(options()).toHaveLength(2))
  await user.keyboard('{Alt>}2{/Alt}')
  await waitFor(() => expect(address()).toBe('/admin/users?open=usr_1'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('Alt and a digit pressed while the answer is on its way choose what still stands there with it', async () => {
  const { answer } = await pressEarly()
  answer.resolve({ exact: false, hits: [customer, payment] })
  await waitFor(() => expect(address()).toBe('/admin/payments?open=pi_1'))
})

test('without a term only nine of the screens have a key', async () => {
  await openPalette()
  const keys = options().map((option) => option.getAttribute('aria-keyshortcuts'))
  expect(keys.slice(7, 11)).toEqual(['Alt+8', 'Alt+9', null, null])
})

test('hits tell status, amount and date, and what they are', async () => {
  answers['ada'] = { exact: false, hits: [{ ...customer, deleted: true }, payment, person] }
  const { user } = await openPalette()
  await user.keyboard('ada')
  await screen.findByRole('group', { name: 'Customers' })
  expect(options('Customers')[0]?.textContent).toBe('Ada LovelaceActiveDeletedcustomer of tests')
  expect(options('Payments')[0]?.textContent).toBe('Ada LovelaceFailedpayment of tests$1,234.5011/2/2026')
  expect(options('People')[0]?.textContent).toContain('Inactive')
})

test('an id that is pasted and entered at once leads to its object as soon as it is known', async () => {
  let tell: (answer: Answer) => void = () => {}
  answers['pi_1'] = new Promise((resolve) => {
    tell = resolve
  })
  const { user } = await openPalette()
  await user.paste('pi_1')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(asked()).toEqual(['pi_1']))
  expect(address()).toBe('/admin/alerts')
  tell({ exact: true, hits: [payment] })
  await waitFor(() => expect(address()).toBe('/admin/payments?open=pi_1'))
})

test('the object of an exact id comes before everything else and shows the id', async () => {
  answers['pi_1'] = { exact: true, hits: [payment, customer] }
  const { user } = await openPalette()
  await user.paste('pi_1')
  await screen.findByRole('group', { name: 'Payments' })
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
    'Payments',
    'Customers',
  ])
  expect(active()?.textContent).toContain('pi_1')
})

test('asks once typing rests; what was found stays until the next answer, and a late one changes nothing', async () => {
  let tellLate: (answer: Answer) => void = () => {}
  answers['ada'] = { exact: false, hits: [customer] }
  answers['adam'] = new Promise((resolve) => {
    tellLate = resolve
  })
  answers['adams'] = { exact: false, hits: [person] }
  const { user } = await openPalette()
  await user.keyboard('ada')
  await screen.findByRole('group', { name: 'Customers' })
  await user.keyboard('m')
  await waitFor(() => expect(asked()).toEqual(['ada', 'adam']))
  expect(titles('Customers')).toEqual(['Ada Lovelace'])
  expect(screen.getByRole('status').textContent).toBe('Searching…')
  await user.keyboard('s')
  await screen.findByRole('group', { name: 'People' })
  tellLate({ exact: false, hits: [payment] })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(titles('People')).toEqual(['Grace Hopper'])
  expect(screen.queryByRole('group', { name: 'Payments' })).toBeNull()
  expect(asked()).toEqual(['ada', 'adam', 'adams'])
})

test('says in words that nothing matches', async () => {
  const { user } = await openPalette()
  await user.keyboard('zzz')
  expect(
    await screen.findByText(
      'Nothing matches “zzz” among screens, actions, customers, sites, domains, deployments, subscriptions, payments, invoices, purchases and people.',
    ),
  ).toBeDefined()
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(screen.getByRole('combobox').getAttribute('aria-expanded')).toBe('false')
  await user.keyboard('{ArrowDown}{Enter}')
  expect(address()).toBe('/admin/alerts')
})

test('a search that failed leaves the screens, says what failed and can be tried again', async () => {
  answers['audit'] = problem(503, { code: 'unavailable', detail: 'The database is busy.' })
  const { user } = await openPalette()
  await user.keyboard('audit')
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(
    'Customers, sites, domains, deployments, subscriptions, payments, invoices, purchases and people could not be searched.',
  )
  expect(alert.textContent).toContain('The database is busy. Request req_test')
  expect(titles('Screens')).toEqual(['Audit Logs'])
  answers['audit'] = { exact: false, hits: [customer] }
  await user.click(within(alert).getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('group', { name: 'Customers' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})

test('screens that may not be opened and actions that may not be done are not there', async () => {
  const { user } = await openPalette(['customers.read'])
  expect(titles('Actions')).toEqual([
    ...['Export customers', 'Open exports', 'Mark all notifications read', 'Light theme', 'Dark theme', 'System theme'],
    ...['Open my profile', 'Sign out'],
  ])
  expect(titles('Screens')).toEqual([
    'Dashboard',
    'System Health',
    'All Customers',
    'User Impersonation',
    'System Metrics',
  ])
  await user.keyboard('audit{Enter}')
  expect(screen.queryByRole('group', { name: 'Screens' })).toBeNull()
  expect(address()).toBe('/admin/alerts')
})

test('whoever may search nothing is not told to', async () => {
  const { user } = await openPalette(['analytics.read'])
  await user.keyboard('lovelace')
  expect(screen.getByRole('status').textContent).toBe('No screen or action matches “lovelace”.')
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(asked()).toEqual([])
})

test('hostile names are text, and a path that leads elsewhere is not followed', async () => {
  const name = '<img src=x onerror=alert(1)>'
  answers['img'] = {
    exact: false,
    hits: [
      { ...customer, title: name },
      { ...customer, id: 'cus_2', path: 'https://evil.example/admin' },
      { ...customer, id: 'cus_3', path: '//evil.example' },
      { ...customer, id: 'cus_4', path: '/adminevil' },
    ],
  }
  const { user } = await openPalette()
  await user.keyboard('img')
  await screen.findByRole('group', { name: 'Customers' })
  expect(titles('Customers')).toEqual([name])
  expect(document.querySelector('img')).toBeNull()
})

test('what was chosen last comes first next time, five at most, and only to the same person who still may see it', async () => {
  answers['ada'] = { exact: false, hits: [customer] }
  const { user } = await openPalette()
  await user.keyboard('ada')
  await screen.findByRole('group', { name: 'Customers' })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/customers?open=cus_1'))
  for (const name of ['incidents', 'alerts', 'usage', 'site mon', 'alerts']) {
    await user.keyboard(`{Control>}k{/Control}${name}{Enter}`)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  expect(titles('Recent')).toEqual(['Alerts', 'Site Monitor', 'Usage', 'Incidents', 'Ada Lovelace'])
  await user.keyboard('{End}{Home}{Enter}')
  await waitFor(() => expect(address()).toBe('/admin/alerts'))
  expect(load('recentChoices')?.choices).toHaveLength(5)
})

test('choices of somebody else, or of what may not be seen any more, are not shown', async () => {
  const hit = { kind: 'customer' as const, title: 'Ada Lovelace', detail: null, path: '/admin/customers?open=cus_1' }
  save('recentChoices', { actor: 'somebody_else', choices: [{ key: 'customer:cus_1', hit }] })
  const first = await openPalette()
  expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull()
  await first.user.keyboard('{Escape}')
  save('recentChoices', {
    actor: 'admin_key',
    choices: [{ key: 'customer:cus_1', hit }, { key: 'screen:/admin/audit' }, { key: 'screen:/admin/alerts' }],
  })
  await first.user.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox')
  expect(titles('Recent')).toEqual(['Ada Lovelace', 'Audit Logs', 'Alerts'])
})

test('recent choices follow the permissions', async () => {
  const hit = { kind: 'customer' as const, title: 'Ada Lovelace', detail: null, path: '/admin/customers?open=cus_1' }
  save('recentChoices', {
    actor: 'admin_key',
    choices: [
      ...[{ key: 'customer:cus_1', hit }, { key: 'action:add-user' }],
      ...[{ key: 'screen:/admin/alerts' }, { key: 'screen:/admin/metrics' }],
    ],
  })
  await openPalette(['billing.read'])
  expect(titles('Recent')).toEqual(['System Metrics'])
})

test('fills the screen of a phone and has a button to leave', async () => {
  showOn('phone')
  const { user } = await openPalette()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
