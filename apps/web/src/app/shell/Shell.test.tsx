import * as auth from '@agency/contract/descriptors/auth'
import * as events from '@agency/contract/descriptors/events'
import * as health from '@agency/contract/descriptors/health'
import * as mirror from '@agency/contract/descriptors/mirror'
import * as notifications from '@agency/contract/descriptors/notifications'
import type { Notification, Theme } from '@agency/contract/types'
import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { personSession } from '../../../test/people.ts'
import { renderPiece, showOn, signInAs, testSession } from '../../../test/render.tsx'
import { checkSession } from '../../lib/session.ts'
import { load } from '../../lib/storage.ts'
import { App } from '../App.tsx'

const at = '2026-11-21T09:00:00Z'
const part = { status: 'healthy' as const, detail: 'Answers in 2 ms', checked_at: at }
const healthy = {
  health: {
    overall: 'healthy' as const,
    backup_proven_at: null,
    since: at,
    database: part,
    cache: part,
    ...{ storage: part, jobs: part },
    network: part,
    stripe: part,
    cloudflare: part,
    uptime: 60,
    unexpected_restarts: 0,
    uptime_percent_24h: 100,
    lastCheck: at,
  },
  performance: {
    response_time_ms: 2,
    response_time_p95_ms: 4,
    error_rate_percent: 0,
    requests: 1,
    cpu_percent: 1,
    memory_percent: 1,
    memory_bytes: 1,
    storage_percent: 1,
    storage_free_bytes: 1,
    measured_at: at,
  },
}
const quietMirror = {
  as_of: '2026-11-21T11:00:00Z',
  problem: null,
  problem_since: null,
  first_import: null,
  last_event_at: at,
  lag_p95_s: 1,
  pending_events: 0,
  dead_events: 0,
  last_reconcile_at: at,
  last_walk_at: at,
  last_drift: null,
  webhook: { configured: true, last_received_at: at },
}
const failedPayment: Notification = {
  id: 'n1',
  type: 'payment.failed',
  severity: 'error',
  title: 'Payment failed',
  body: '<b>Acme</b>',
  link: '/admin/alerts',
  created_at: at,
  read: false,
}
const foreign: Notification = {
  ...failedPayment,
  id: 'n2',
  title: 'Look here',
  link: 'https://evil.example',
  read: true,
}

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => {})
  mockApi(auth, {
    getSession: () => testSession(),
    logout: () => ({ success: true as const }),
    heartbeat: () => ({ idle_expires_at: null }),
    reportVisibility: () => ({ idle_expires_at: null }),
  })
  mockApi(events, { openEventStream: () => new Response(new ReadableStream()) })
  mockApi(health, { getHealth: () => healthy })
  mockApi(mirror, { getMirror: () => quietMirror })
  mockApi(notifications, {
    listNotifications: () => ({ notifications: [failedPayment, foreign], unread_count: 1 }),
    markNotificationsRead: () => ({ unread_count: 0 }),
  })
})

async function openConsole(route = '/admin/alerts', session = testSession()) {
  window.history.replaceState(null, '', route)
  mockApi(auth, { getSession: () => session })
  signInAs(session)
  renderPiece(<App />)
  await screen.findByRole('main')
  return userEvent.setup()
}

test('shows the navigation, the mode, the version and the live chips', async () => {
  await openConsole()
  const nav = screen.getByRole('navigation', { name: 'Main' })
  expect(within(nav).getByText('v1.0.0')).toBeDefined()
  expect(within(nav).getByRole('link', { name: 'Alerts' }).getAttribute('aria-current')).toBe('page')
  expect(screen.getByText('Demo')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'System health: Healthy' })).toBeDefined()
  expect(await within(nav).findByText('System Status: Online')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeDefined()
})

test('groups start open or closed as specified, and the one that holds the screen is open', async () => {
  await openConsole('/admin/alerts')
  const expanded = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-expanded')
  expect(
    [
      'Customer Management',
      'Billing & Subscriptions',
      'Monitoring',
      'Reports & Analytics',
      'Admin Tools',
      'System',
    ].map(expanded),
  ).toEqual(['true', 'false', 'true', 'true', 'true', 'false'])
})

test('a change of screen changes the title and takes the focus along', async () => {
  const user = await openConsole()
  await user.click(screen.getByRole('link', { name: 'Incidents' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Incidents' })).toBeDefined()
  expect(window.location.pathname).toBe('/admin/incidents')
  // What follows the painting may come after the heading is seen.
  await expect.poll(() => document.title).toBe('Incidents · Agency Console')
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

test('a screen that arrives while the palette is open leaves the focus where somebody types', async () => {
  const user = await openConsole()
  const link = screen.getByRole('link', { name: 'Incidents' })
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Search the console' })
  await expect.poll(() => document.activeElement).toBe(field)
  // As a press does whose screen had to be loaded first.
  act(() => link.click())
  expect(await screen.findByRole('heading', { level: 1, name: 'Incidents', hidden: true })).toBeDefined()
  await expect.poll(() => document.title).toBe('Incidents · Agency Console')
  expect(document.activeElement).toBe(field)
})

test('an unknown address leads to the dashboard, an unknown report to the reports', async () => {
  await openConsole('/admin/reports/nowhere')
  await expect.poll(() => window.location.pathname).toBe('/admin/reports')
})

test('notifications are text, lead only inside the console, and can be read', async () => {
  const marked = mockApi(notifications, { markNotificationsRead: () => ({ unread_count: 0 }) })
  const user = await openConsole()
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }))
  const list = screen.getByRole('dialog', { name: 'Notifications' })
  expect(within(list).getAllByText('<b>Acme</b>')).toHaveLength(2)
  expect(
    within(list)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/admin/alerts'])
  await user.click(within(list).getByRole('button', { name: 'Mark all as read' }))
  await expect.poll(() => marked.calls().filter(({ name }) => name === 'markNotificationsRead')).toHaveLength(1)
})

test('a notification is read while another one is still being marked', async () => {
  const waiting = { ...failedPayment, link: null }
  const marked = mockApi(notifications, {
    listNotifications: () => ({
      notifications: [waiting, { ...waiting, id: 'n3', title: 'Dispute' }],
      unread_count: 2,
    }),
    markNotificationsRead: () => new Promise<Response>(() => {}),
  })
  const user = await openConsole()
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  const list = within(screen.getByRole('dialog', { name: 'Notifications' }))
  await user.click(list.getByRole('button', { name: /Payment failed/ }))
  await user.click(list.getByRole('button', { name: /Dispute/ }))
  const bodies = () => marked.calls().flatMap(({ name, body }) => (name === 'markNotificationsRead' ? [body] : []))
  await expect.poll(bodies).toEqual([{ ids: ['n1'] }, { ids: ['n3'] }])
})

test('says that the console does not answer', async () => {
  mockApi(health, { getHealth: () => Promise.reject(new TypeError('Failed to fetch')) })
  await openConsole()
  expect(await screen.findByText('System Status: Offline')).toBeDefined()
  expect(screen.getByRole('button', { name: 'System health: Unavailable' })).toBeDefined()
})

test('a part that is down shows with its age', async () => {
  mockApi(health, {
    getHealth: () => ({
      ...healthy,
      health: {
        ...healthy.health,
        overall: 'down' as const,
        stripe: { ...part, status: 'error' as const, detail: 'Refuses the key' },
      },
    }),
  })
  const user = await openConsole()
  await user.click(await screen.findByRole('button', { name: 'System health: Down' }))
  expect(within(screen.getByRole('dialog', { name: 'System health' })).getByText('Refuses the key')).toBeDefined()
  expect(screen.getByText('System Status: Degraded')).toBeDefined()
})

test('the first import shows its progress on every screen', async () => {
  const first_import = {
    id: 'imp_1',
    state: 'running' as const,
    started_at: at,
    finished_at: null,
    objects: 1234,
    pages: 13,
    objects_per_second: 400,
    remaining_seconds: 95,
    steps: [
      { object: 'customers', state: 'done' as const, objects: 1000, pages: 10 },
      { object: 'payments', state: 'running' as const, objects: 234, pages: 3 },
    ],
    error: null,
  }
  mockApi(mirror, { getMirror: () => ({ ...quietMirror, as_of: null, first_import }) })
  await openConsole()
  const facts = '1,234 objects · 13 pages · 400 per second · about 1 min 35 s left'
  expect(await screen.findByText(facts)).toBeDefined()
  const notice = screen.getByRole('complementary', { name: 'First import' })
  expect(notice.textContent).toContain('Figures are incomplete until the import ends.')
})

test('another import is not told as the first', async () => {
  const first_import = {
    ...{ id: 'imp_2', state: 'running' as const, started_at: at, finished_at: null, objects: 5, pages: 1 },
    ...{ objects_per_second: null, remaining_seconds: null, steps: [], error: null },
  }
  mockApi(mirror, { getMirror: () => ({ ...quietMirror, first_import }) })
  await openConsole()
  const notice = await screen.findByRole('complementary', { name: 'Import' })
  expect(notice.textContent).toContain('Figures may change until the import ends.')
})

test('a mirror in trouble says what is wrong', async () => {
  mockApi(mirror, { getMirror: () => ({ ...quietMirror, problem: 'Stripe refuses the key' }) })
  await openConsole()
  expect(await screen.findByText('Stripe refuses the key', { exact: false })).toBeDefined()
})

test('the account menu has its four entries; Logout leaves', async () => {
  const user = await openConsole()
  await user.click(screen.getByRole('button', { name: 'Account: Admin User' }))
  const entries = await screen.findAllByRole('menuitem')
  expect(entries.map((entry) => entry.textContent)).toEqual(['Admin User', 'Profile', 'Settings', 'Logout'])
  expect(entries[2]?.getAttribute('href')).toBe('/admin/config')
  await user.click(entries[3]!)
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeDefined()
  expect(load('adminKey')).toBeUndefined()
})

test('the account menu of somebody who may not set anything has no Settings', async () => {
  const user = await openConsole('/admin/alerts', testSession(['sites.read']))
  await user.click(screen.getByRole('button', { name: 'Account: Admin User' }))
  const entries = await screen.findAllByRole('menuitem')
  expect(entries.map((entry) => entry.textContent)).toEqual(['Admin User', 'Profile', 'Logout'])
})

test.each([
  [{ names: [], others: 0 }, 'Ask whoever has the admin key.'],
  [{ names: ['Grace'], others: 0 }, 'Ask an administrator: Grace.'],
  [{ names: ['Grace', 'Hedy'], others: 0 }, 'Ask an administrator: Grace or Hedy.'],
  [{ names: ['Grace', 'Hedy', '<b>Ada</b>'], others: 2 }, 'Ask an administrator: Grace, Hedy, <b>Ada</b> or 2 more.'],
])('a screen that may not be opened says what it needs and whom to ask: %o', async (answer, advice) => {
  const asked = mockApi(auth, { listAdministrators: () => answer })
  await openConsole('/admin/audit', testSession(['sites.read']))
  expect(await screen.findByRole('heading', { level: 1, name: 'Audit Logs' })).toBeDefined()
  const text = await screen.findByText(/needs the permission/)
  await expect
    .poll(() => text.textContent)
    .toBe(`Audit Logs needs the permission “Manage the system” admin.system. ${advice}`)
  expect(window.location.pathname).toBe('/admin/audit')
  const about = asked.calls().filter(({ name }) => name === 'listAdministrators')
  expect([...new Set(about.map(({ query }) => query['permission']))]).toEqual(['admin.system'])
  expect(asked.calls().some(({ name }) => name === 'listAudit')).toBe(false)
})

test('whom to ask stays general while nobody can be named', async () => {
  mockApi(auth, { listAdministrators: () => problem(503, { code: 'unavailable' }) })
  await openConsole('/admin/users', testSession(['sites.read']))
  expect(await screen.findByText(/Ask an administrator\.$/)).toBeDefined()
})

test('the dashboard of somebody for whom it holds nothing leads to the first screen that is theirs', async () => {
  await openConsole('/admin', testSession(['admin.users']))
  await expect.poll(() => window.location.pathname).toBe('/admin/users')
  const nav = screen.getByRole('navigation', { name: 'Main' })
  expect(within(nav).queryByRole('link', { name: 'Dashboard' })).toBeNull()
})

test('tabs that lead where somebody may not go are not there', async () => {
  await openConsole('/admin/users', testSession(['admin.users']))
  const tabs = within(await screen.findByRole('navigation', { name: 'User & Role Management' }))
  expect(tabs.getAllByRole('link').map((link) => link.textContent)).toEqual(['Users'])
})

test.each([
  ['/admin/alerts', 'Monitoring / Alerts', null],
  ['/admin/incidents/i1', 'Monitoring / Incidents', '/admin/incidents'],
])('the top bar of %s says where it stands', async (path, text, back) => {
  await openConsole(path)
  const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
  expect(trail.textContent).toBe(text)
  expect(within(trail).queryByRole('link')?.getAttribute('href') ?? null).toBe(back)
})

test('the theme is chosen in the account menu and stays in this browser', async () => {
  const user = await openConsole()
  const choose = async (name: string) => {
    await user.click(screen.getByRole('button', { name: 'Account: Admin User' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }
  await choose('Dark theme')
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(load('theme')).toBe('dark')
  await user.click(screen.getByRole('button', { name: 'Account: Admin User' }))
  const entries = await screen.findAllByRole('menuitemradio')
  expect(entries.map((entry) => [entry.textContent, entry.getAttribute('aria-checked')])).toEqual([
    ['Light theme', 'false'],
    ['✓Dark theme', 'true'],
    ['System theme', 'false'],
  ])
  await user.keyboard('{Escape}')
  await choose('System theme')
  expect([document.documentElement.dataset['theme'], load('theme')]).toEqual(['light', undefined])
})

test('the theme of a person is kept on the server, and one that could not be kept says so', async () => {
  const session = personSession()
  const kept = { theme: 'system' as Theme }
  const asked = mockApi(auth, { setTheme: ({ body }) => Object.assign(kept, { theme: body!.theme }) })
  const user = await openConsole('/admin/customers', session)
  // The session may be looked at again at any time.
  mockApi(auth, { getSession: () => ({ ...session, user: { ...session.user!, ...kept } }) })
  const choose = async (name: string) => {
    await user.click(screen.getByRole('button', { name: 'Account: Grace Hopper' }))
    await user.click(await screen.findByRole('menuitemradio', { name }))
  }
  await choose('Dark theme')
  await expect
    .poll(() => asked.calls().flatMap(({ name, body }) => (name === 'setTheme' ? [body] : [])))
    .toEqual([{ theme: 'dark' }])
  await expect.poll(() => load('session')?.state.user?.theme).toBe('dark')
  mockApi(auth, { setTheme: () => problem(503, { code: 'unavailable' }) })
  await choose('Light theme')
  expect(await screen.findByText('The theme changed here only, until you reload.')).toBeDefined()
  await act(checkSession)
  expect(document.documentElement.dataset['theme']).toBe('light')
})

test('on a narrow screen the navigation slides out and leaves with the choice', async () => {
  showOn('phone')
  const user = await openConsole()
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Open navigation' }))
  await user.click(await screen.findByRole('link', { name: 'Incidents' }))
  await expect.poll(() => screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  expect(window.location.pathname).toBe('/admin/incidents')
})

test('the first call that refuses the key shows the login, at the address that was wanted', async () => {
  mockApi(health, { getHealth: () => problem(401, { code: 'unauthenticated' }) })
  await openConsole('/admin/incidents')
  expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeDefined()
  expect(window.location.pathname).toBe('/admin/incidents')
})

test('a warning shows after 25 idle minutes and goes with any key', async () => {
  const session = { ...testSession(), session: { ...testSession().session!, warn_after_s: 1 } }
  mockApi(auth, { getSession: () => session })
  await openConsole('/admin/alerts', session)
  const dialog = await screen.findByRole('alertdialog', { name: 'Session about to end' })
  expect(within(dialog).getByRole('button', { name: 'Continue Session' })).toBeDefined()
  act(() => {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
  })
  await expect.poll(() => screen.queryByRole('alertdialog')).toBeNull()
})
