import { Suspense } from 'react'
import { useSession } from '../lib/session.ts'
import { LoadedConsole, loadConsole } from './load-console.tsx'
import { LoadedLogin } from './load-login.tsx'
import { StartFailure } from './login/StartFailure.tsx'
import { Waiting } from './login/Waiting.tsx'

/** The key gate: the console's code is loaded for whoever is signed in or about to be. */
export function App() {
  const session = useSession()
  switch (session.phase) {
    case 'checking':
      return <Waiting text="Checking the admin key" />
    case 'unreachable':
      return <StartFailure error={session.error} keyKept />
    case 'signed-out':
      return (
        <StartFailure.Boundary>
          <Suspense>
            <LoadedLogin reason={session.reason} onSubmit={() => void loadConsole().catch(() => {})} />
          </Suspense>
        </StartFailure.Boundary>
      )
    case 'signed-in':
      return (
        <StartFailure.Boundary>
          <Suspense fallback={<Waiting text="Loading the dashboard" />}>
            <LoadedConsole />
          </Suspense>
        </StartFailure.Boundary>
      )
  }
}
