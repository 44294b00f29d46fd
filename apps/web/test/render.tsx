import type { Permission, SessionState } from '@agency/contract/types'
import { QueryClient } from '@tanstack/react-query'
import { cleanup, configure, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { afterEach, beforeEach, vi } from 'vitest'
import { useLinkClicks } from '../src/app/shell/use-link-clicks.ts'
import { ClientProvider } from '../src/lib/ClientProvider.tsx'
import { startSession } from '../src/lib/session.ts'
import { save } from '../src/lib/storage.ts'
import { ToastProvider } from '../src/ui/Toast.tsx'
import { TestChannel } from './channel.ts'

// The first dialog of a file loads the component library, which takes a second and more on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

// jsdom hides popovers and cannot show them.
HTMLElement.prototype.showPopover = function show() {
  this.style.display = 'block'
}
HTMLElement.prototype.hidePopover = function hide() {
  this.style.display = ''
}

export const allPermissions: Permission[] = [
  'customers.read',
  'customers.write',
  'customers.delete',
  'sites.read',
  'sites.write',
  'sites.deploy',
  'billing.read',
  'billing.write',
  'analytics.read',
  'support.read',
  'support.write',
  'admin.users',
  'admin.system',
  'admin.sql_write',
]

export const testKey = 'session-key-of-the-tests'

export function testSession(permissions: Permission[] = allPermissions): SessionState {
  return {
    actor: { type: 'admin_key', id: 'admin_key', name: 'Admin key', role: 'super_admin', permissions },
    stage: 'open',
    user: null,
    version: '1.0.0',
    mode: 'demo',
    time_zone: null,
    stripe_account: null,
    session: {
      id: 'ses_1',
      created_at: '2026-11-21T09:00:00Z',
      idle_expires_at: '2026-11-21T09:30:00Z',
      expires_at: '2026-11-21T21:00:00Z',
      warn_after_s: 1500,
      idle_limit_s: 1800,
    },
  }
}

beforeEach(() => {
  showOn('desktop')
  vi.stubGlobal('BroadcastChannel', TestChannel)
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

/** jsdom has no layout; the queries of the app are answered for the given screen. */
export function showOn(screen: 'desktop' | 'phone'): void {
  const width = screen === 'phone' ? 390 : 1440
  const matches = (query: string) => {
    const max = /max-width: ([\d.]+)px/.exec(query)
    return max !== null && width <= Number(max[1])
  }
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    media: query,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  }))
}

/** Puts a session into the browser as a sign-in would. */
export function signInAs(state: SessionState = testSession()): void {
  save('session', { key: testKey.slice(-8), state })
  save('adminKey', testKey)
  startSession()
}

type Options = { route?: string; session?: SessionState }

/** Renders a page below everything that the console gives it. Links work, and `window.location` follows. */
export function renderPage(page: ReactNode, { route = '/admin', session = testSession() }: Options = {}) {
  signInAs(session)
  window.history.replaceState(null, '', route)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  const result = render(
    <ClientProvider client={client}>
      <ToastProvider>
        <BrowserRouter>
          <Links />
          {page}
        </BrowserRouter>
      </ToastProvider>
    </ClientProvider>,
  )
  return { ...result, client, user: userEvent.setup() }
}

/** Renders a piece of `ui/` by itself. */
export function renderPiece(piece: ReactNode) {
  return { ...render(piece), user: userEvent.setup() }
}

function Links() {
  useLinkClicks()
  return null
}
