import { useEffect, useState } from 'react'
import { BrowserRouter } from 'react-router'
import { ClientProvider } from '../lib/ClientProvider.tsx'
import { checkSession } from '../lib/session.ts'
import { ToastProvider } from '../ui/Toast.tsx'
import { IdleGuard } from './IdleGuard.tsx'
import { LiveProvider } from './LiveProvider.tsx'
import { loadLogin } from './load-login.tsx'
import { takeClient } from './prepare.ts'
import { whenCalm } from './query-client.ts'
import { Shell } from './shell/Shell.tsx'

function handleCalm(): void {
  void checkSession()
  // Whoever leaves while the connection is down is told there that the session is still open.
  loadLogin().catch(() => {})
}

/** Everything behind the key. It lives as long as one session: what was read for one person is not kept for the next. */
export function Console() {
  const [client] = useState(takeClient)

  // The screen's own call goes first; the key is checked by it already.
  useEffect(() => whenCalm(client, handleCalm), [client])

  return (
    <ClientProvider client={client}>
      <ToastProvider>
        <LiveProvider client={client}>
          <BrowserRouter>
            <Shell />
          </BrowserRouter>
          <IdleGuard />
        </LiveProvider>
      </ToastProvider>
    </ClientProvider>
  )
}
