// Runs before the app and apart from it, as a classic script of its own: everything here happens while the console's
// code is still on its way.
import { startFirstCalls } from './app/first-calls.ts'
import { preloadScripts } from './app/preload-scripts.ts'

// Shows the page's own failure text as soon as a script cannot be had.
addEventListener(
  'error',
  (event) => {
    const isScript = event.target instanceof HTMLScriptElement || event.target === window
    if (isScript) document.documentElement.classList.add('startup-failed')
  },
  true,
)

try {
  preloadScripts(document)
  startFirstCalls(new URL(window.location.href))
} catch {
  // Storage may be refused, or hold what an older console left; everything is then loaded when the app asks for it.
}
