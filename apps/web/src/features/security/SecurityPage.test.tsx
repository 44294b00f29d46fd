import * as security from '@agency/contract/descriptors/security'
import type { LiveSession } from '@agency/contract/types'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { mockApi, problem } from '../../../test/mock-api.ts'
import { renderPage, testSession } from '../../../test/render.tsx'
import { aLiveSession } from '../../../test/system-fixtures.ts'
import { SecurityPage } from './SecurityPage.tsx'
import type { AdminKeyState, Attempt, LockOut } from './security-words.ts'

// What loads on first use is there before the clock of a test runs.
beforeAll(async () => {
  await Promise.all([
    import('./RotateKeyDialog.tsx'),
    import('./DisableKeyDialog.tsx'),
    import('./EndSessionDialogs.tsx'),
    import('../../ui/ActionMenu.tsx'),
  ])
})

const route = '/admin/security'
const keyState: AdminKeyState = {
  enabled: true,
  source: 'made',
  set_at: '2026-09-01T10:00:00Z',
  last_used_at: null,
  live_sessions: 2,
  live_api_keys: 1,
  cannot_disable_reason: null,
  cannot_rotate_reason: null,
}
const run = {
  id: 'run_1',
  at: '2026-11-21T10:00:00Z',
  actor_name: 'Grace Hopper',
  score: 72,
  findings: [
    {
      id: 'csp',
      title: 'Content policy',
      state: 'ok',
      finding: 'It is strict.',
      advice: null,
      link: null,
      link_text: null,
    },
    {
      id: 'keys',
      title: 'API keys',
      state: 'advice',
      finding: '1 key never expires.',
      advice: 'Give it a date.',
      link: '/admin/api-keys',
      link_text: 'API keys',
    },
    {
      id: 'mail',
      title: 'Mail',
      state: 'error',
      finding: '3 mails failed.',
      advice: null,
      link: null,
      link_text: null,
    },
  ] as const,
}
const mine = aLiveSession({ is_mine: true })
const other = aLiveSession({ id: 'ses_2', actor_type: 'user', actor_name: 'Alan Turing', device: 'Safari on iPhone' })

beforeEach(() => {
  mockApi(security, {
    getSecurityChecks: () => ({
      run: { ...run, findings: [...run.findings] },
      history: [
        { at: '2026-11-21T10:00:00Z', score: 72 },
        { at: '2026-11-20T10:00:00Z', score: 95 },
      ],
    }),
    getAdminKey: () => keyState,
    listLockOuts: () => ({ lockouts: [] }),
    listSignInAttempts: () => ({ attempts: [], has_more: false }),
  })
})

function open(search = '', sessions: LiveSession[] = [mine, other]) {
  const api = mockApi(security, { listSessions: () => ({ sessions, has_more: false, total: sessions.length }) })
  return { api, ...renderPage(<SecurityPage />, { route: route + search }) }
}

test('lists findings by how grave they are, with the page that mends them, and counts what passed', async () => {
  open()
  const checks = await screen.findByRole('region', { name: 'Security checks' })
  const titles = (await within(checks).findAllByRole('heading', { level: 3 })).map((title) => title.textContent)
  expect(titles).toEqual(['Mail', 'API keys', 'Content policy'])
  expect(within(checks).getByText('72 of 100')).toBeTruthy()
  expect(within(checks).getByText('1 check passed')).toBeTruthy()
  expect(within(checks).getByRole('link', { name: 'API keys' }).getAttribute('href')).toBe('/admin/api-keys')
  const history = screen.getByRole('list', { name: 'Scores, oldest first' })
  expect(
    within(history)
      .getAllByRole('listitem')
      .map((bar) => bar.textContent),
  ).toEqual(['11/20/2026: 95', '11/21/2026: 72'])
})

test('runs the checks, and keeps the last result when that fails', async () => {
  const api = mockApi(security, { runSecurityChecks: () => problem(503, { detail: 'The database is away' }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Run checks' }))
  expect(await screen.findByText('The checks did not run. The last result is kept.')).toBeTruthy()
  expect(screen.getByText('72 of 100')).toBeTruthy()
  expect(api.calls().filter(({ name }) => name === 'runSecurityChecks')).toHaveLength(1)
})

test('rotates the admin key, shows the new one once, and does not lose it to Escape', async () => {
  mockApi(security, { rotateAdminKey: () => ({ key: 'new-admin-key-shown-once', ended_sessions: 1 }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Rotate' }))
  const question = await screen.findByRole('alertdialog', { name: 'Rotate admin key' })
  expect(question.textContent).toContain('2 live now')
  await user.click(within(question).getByRole('button', { name: 'Rotate admin key' }))
  const answer = await screen.findByRole('dialog', { name: 'New admin key' })
  expect(within(answer).getByText('new-admin-key-shown-once')).toBeTruthy()
  expect(answer.textContent).toContain('1 session ended.')
  await user.keyboard('{Escape}')
  expect(screen.getByText('new-admin-key-shown-once')).toBeTruthy()
  await user.click(within(answer).getByRole('button', { name: 'I have stored the key' }))
  await waitFor(() => expect(screen.queryByText('new-admin-key-shown-once')).toBeNull())
})

test('switches the admin key off only after the words are typed, and says what ends', async () => {
  const api = mockApi(security, { disableAdminKey: () => ({ ended_sessions: 2 }) })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Switch off' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Switch off admin key' })
  expect(dialog.textContent).toContain('2 sessions opened with the key end at once')
  expect(dialog.textContent).toContain('1 API key created with the key')
  expect(dialog.textContent).toContain('Your session ends too')
  await user.click(within(dialog).getByRole('button', { name: 'Switch off admin key' }))
  expect(within(dialog).getByRole('alert').textContent).toBe('Type switch off to confirm')
  expect(api.calls().some(({ name }) => name === 'disableAdminKey')).toBe(false)
  await user.type(within(dialog).getByLabelText('Type switch off to confirm'), 'switch off')
  await user.click(within(dialog).getByRole('button', { name: 'Switch off admin key' }))
  expect(await screen.findByText('The admin key is off. 2 sessions ended.')).toBeTruthy()
})

test('says why the admin key can be neither rotated nor switched off', async () => {
  mockApi(security, {
    getAdminKey: () => ({
      ...keyState,
      source: 'environment',
      cannot_rotate_reason: 'ADMIN_KEY sets it',
      cannot_disable_reason: 'No super admin uses two-step verification',
    }),
  })
  open()
  expect(await screen.findByText('ADMIN_KEY sets it')).toBeTruthy()
  expect(screen.getByText('No super admin uses two-step verification')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Rotate' })).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Switch off' })).toHaveProperty('disabled', true)
})

test('marks the own session, and revokes another one', async () => {
  const { user, api } = open('?tab=sessions')
  mockApi(security, { revokeSession: () => ({ success: true as const }) })
  const table = await screen.findByRole('table', { name: 'Sessions' })
  const row = (await within(table).findByText('This session')).closest('tr')!
  await user.click(within(row).getByRole('button', { name: /Actions/ }))
  const entry = await screen.findByRole('menuitem', { name: /Revoke/ })
  expect(entry.textContent).toContain('log out instead')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Actions for Alan Turing, Safari on iPhone' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke session' })
  expect(dialog.textContent).toContain('Alan Turing is signed out of Safari on iPhone at once')
  await user.click(within(dialog).getByRole('button', { name: 'Revoke session' }))
  expect(await screen.findByText('Ended the session of Alan Turing')).toBeTruthy()
  expect(api.calls().find(({ name }) => name === 'revokeSession')?.params).toEqual({ id: 'ses_2' })
})

test('signs out all others after saying how many', async () => {
  const { user } = open('?tab=sessions', [mine, other, aLiveSession({ id: 'ses_3' })])
  mockApi(security, { revokeOtherSessions: () => ({ ended: 2 }) })
  await screen.findByText('This session')
  await user.click(screen.getByRole('button', { name: 'Sign out all others' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out all others' })
  await user.click(within(dialog).getByRole('button', { name: 'Sign out 2 sessions' }))
  expect(await screen.findByText('2 sessions ended')).toBeTruthy()
})

test('there is nobody to sign out but oneself', async () => {
  open('?tab=sessions', [mine])
  await screen.findByText('This session')
  expect(screen.getByRole('button', { name: 'Sign out all others' })).toHaveProperty('disabled', true)
})

test('lists sign-in attempts by outcome, and releases a lock-out', async () => {
  const attempt: Attempt = {
    id: 'att_1',
    at: '2026-11-21T10:00:00Z',
    method: 'email',
    succeeded: false,
    account: null,
    reason: 'Wrong password',
    address: '198.51.100.4',
    device: 'curl',
  }
  const lockOut: LockOut = {
    id: 'lock_1',
    kind: 'address',
    subject: '198.51.100.4',
    failures: 12,
    last_failure_at: '2026-11-21T10:00:00Z',
    locked_until: new Date(Date.now() + 600_000).toISOString(),
  }
  const api = mockApi(security, {
    listSignInAttempts: () => ({ attempts: [attempt], has_more: false }),
    listLockOuts: () => ({ lockouts: [lockOut] }),
    releaseLockOut: () => ({ success: true as const }),
  })
  const { user } = open('?tab=attempts')
  const table = await screen.findByRole('table', { name: 'Sign-in attempts' })
  expect(await within(table).findByText('Wrong password')).toBeTruthy()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'failed')
  await waitFor(() =>
    expect(
      api
        .calls()
        .filter(({ name }) => name === 'listSignInAttempts')
        .at(-1)?.query,
    ).toEqual({ limit: '50', outcome: 'failed' }),
  )
  const locks = await screen.findByRole('list', { name: 'Lock-outs' })
  expect(within(locks).getByText(/^Locked until/)).toBeTruthy()
  await user.click(within(locks).getByRole('button', { name: 'Release' }))
  expect(await screen.findByText('Released 198.51.100.4')).toBeTruthy()
})

test('asks for nothing without the permission, and names it', async () => {
  const api = mockApi(security, {})
  renderPage(<SecurityPage />, { route, session: testSession(['admin.users']) })
  expect(screen.getByText('Needs the permission admin.system')).toBeTruthy()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(api.calls()).toEqual([])
})
