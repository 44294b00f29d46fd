import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'

// First in the head, so that the style sheets of our own pieces win over MUI's.
const styles = createCache({
  key: 'mui',
  prepend: true,
  nonce: document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content,
})

/**
 * The theme for MUI's components. Every dialog, drawer, menu and form of MUI's stands in one of these: the screens
 * themselves are drawn by style sheets from the same tokens, so that they need not wait for the library.
 */
export function MuiRoot({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme} colorSchemeNode={null} storageManager={null} disableStyleSheetGeneration noSsr>
        {children}
      </ThemeProvider>
    </CacheProvider>
  )
}
