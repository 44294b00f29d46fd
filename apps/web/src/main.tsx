import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { loadConsole } from './app/load-console.tsx'
import { currentSession, startSession } from './lib/session.ts'
import './theme/fonts.css'
import { theme } from './theme/theme.ts'

// First in the head, so that the style sheets of our own pieces win over MUI's.
const styles = createCache({
  key: 'mui',
  prepend: true,
  nonce: document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content,
})

const root = createRoot(document.getElementById('root')!)

function render(): void {
  root.render(
    <StrictMode>
      <CacheProvider value={styles}>
        <ThemeProvider theme={theme}>
          <CssBaseline />
          <App />
        </ThemeProvider>
      </CacheProvider>
    </StrictMode>,
  )
}

startSession()
const { phase } = currentSession()
// Somebody who is signed in waits for one complete screen rather than for three that replace each other.
if (phase === 'signed-in') loadConsole().then(render, render)
else render()
if (phase === 'checking') loadConsole().catch(() => {})
