import { lazy, Suspense, useState } from 'react'
import { useSession } from '../lib/session.ts'
import { LoadedConsole, loadConsole } from './load-console.tsx'
import { LoadedLogin } from './load-login.tsx'
import { StartFailure } from './login/StartFailure.tsx'
import { Waiting } from './login/Waiting.tsx'
import { leaveWelcome, takeToken, welcomePath } from './login/welcome-link.ts'
import { useHeadingFocus } from './use-heading-focus.ts'

const SignInSteps = lazy(() => import('./login/SignInSteps.tsx').then((m) => ({ default: m.SignInSteps })))
const WelcomeScreen = lazy(() => import('./login/WelcomeScreen.tsx').then((m) => ({ default: m.WelcomeScreen })))

/** Links to choose a password stand apart from whoever is signed in. */
export function App() {
  const [welcoming, setWelcoming] = useState(() => {
    takeToken()
    return window.location.pathname === welcomePath
  })
  const handleDone = () => {
    leaveWelcome()
    setWelcoming(false)
  }
  if (!welcoming) return <KeyGate />
  return (
    <StartFailure.Boundary>
      <Suspense fallback={<Waiting text="Checking your link" />}>
        <WelcomeScreen onDone={handleDone} />
      </Suspense>
    </StartFailure.Boundary>
  )
}

/** The console's code is loaded for whoever is signed in or about to be. */
function KeyGate() {
  const session = useSession()
  useHeadingFocus(session.phase)
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
    case 'incomplete':
      return (
        <StartFailure.Boundary>
          <Suspense fallback={<Waiting text="Signing in" />}>
            <SignInSteps key={session.state.stage} state={session.state} />
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
