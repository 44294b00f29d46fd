import type { Theme } from '@agency/contract/types'
import { load, onStored, remove, save } from './storage.ts'

const darkQuery = '(prefers-color-scheme: dark)'
/** What the browser draws around the page in. */
const frames = { light: '#ffffff', dark: '#181c21' }

export const themes = ['light', 'dark', 'system'] as const satisfies readonly Theme[]

/** What was chosen in this browser; what is stored may be anything. */
export function chosenTheme(): Theme {
  const kept = load('theme')
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Puts the choice, or what the device prefers, on the page. Runs before anything is painted. */
export function showTheme(): void {
  const chosen = chosenTheme()
  const shown = chosen === 'system' ? (window.matchMedia(darkQuery).matches ? 'dark' : 'light') : chosen
  document.documentElement.dataset['theme'] = shown
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = frames[shown]
}

/** Keeps the page as the device and the other tabs want it. */
export function followTheme(): void {
  showTheme()
  window.matchMedia(darkQuery).addEventListener('change', showTheme)
  onStored('theme', showTheme)
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') remove('theme')
  else save('theme', theme)
  showTheme()
}
