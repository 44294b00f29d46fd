import { lazy, Suspense } from 'react'
import { useSession } from '../lib/session.ts'
import { LoginScreen } from './login/LoginScreen.tsx'
import { StartFailure } from './login/StartFailure.tsx'
import { Waiting } from './login/Waiting.tsx'

const loadConsole = () => import('./Console.tsx').then((module) => ({ default: module.Console }))
const Console = lazy(loadConsole)

/** The key gate: the console's code is loaded for somebody who is signed in, and while a stored key is being checked. */
export function App() {
  const session = useSession()
  switch (session.phase) {
    case 'checking':
      void loadConsole().catch(() => {})
      return <Waiting text="Checking the admin key" />
    case 'unreachable':
      return <StartFailure error={session.error} />
    case 'signed-out':
      return <LoginScreen reason={session.reason} />
    case 'signed-in':
      return (
        <StartFailure.Boundary>
          <Suspense fallback={<Waiting text="Loading the dashboard" />}>
            <Console />
          </Suspense>
        </StartFailure.Boundary>
      )
  }
}
