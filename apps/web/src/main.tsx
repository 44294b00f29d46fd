import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadConsole } from './app/load-console.tsx'
import { loadLogin } from './app/load-login.tsx'
import { takeToken } from './app/login/welcome-link.ts'
import { startRevocations } from './lib/revocation.ts'
import { currentSession, startSession } from './lib/session.ts'
import { followTheme } from './lib/theme-choice.ts'
import 'virtual:theme.css'
import './theme/fonts.css'
import './theme/baseline.css'

// After that, what is there shows that the rest is on its way.
const patienceMs = 3000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const root = createRoot(document.getElementById('root')!)

function render(): void {
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// A link's token leaves the address bar before anything else.
const welcoming = takeToken() !== undefined
followTheme()
startSession()
startRevocations()
void Promise.race([Promise.allSettled([loadFirst()]), wait(patienceMs)]).then(render)

/** What is shown first is loaded first: one complete screen, rather than three that replace each other. */
function loadFirst(): Promise<unknown> | undefined {
  const { phase } = currentSession()
  if (welcoming || phase === 'incomplete') return undefined
  return phase === 'signed-out' ? loadLogin() : loadConsole()
}
