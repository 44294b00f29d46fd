// Runs before the app and apart from it, as a classic script within the page: everything here happens while the console's
// code is still on its way.
import { startFirstCalls } from './app/first-calls.ts'
import { preloadScripts } from './app/preload-scripts.ts'
import { showTheme } from './lib/theme-choice.ts'

showTheme()

// By then the app's first render has long replaced the page's own failure text, if it comes at all.
const patienceMs = 8000

const showFailure = () => document.documentElement.classList.add('startup-failed')

addEventListener(
  'error',
  (event) => {
    if (event.target instanceof HTMLScriptElement || event.target === window) showFailure()
  },
  true,
)
setTimeout(showFailure, patienceMs)

try {
  preloadScripts(document)
  startFirstCalls(new URL(window.location.href))
} catch {
  // Storage may be refused, or hold what an older console left; everything is then loaded when the app asks for it.
}
