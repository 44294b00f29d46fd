// Runs before the app and apart from it. Shows the page's own failure text as soon as a script cannot be had.
addEventListener(
  'error',
  (event) => {
    const isScript = event.target instanceof HTMLScriptElement || event.target === window
    if (isScript) document.documentElement.classList.add('startup-failed')
  },
  true,
)

// Whoever has a key will need the console's scripts: they are asked for now and not one after the other.
try {
  const scripts = JSON.parse(document.querySelector('meta[name="console-scripts"]')?.content ?? '{}')
  const wanted = localStorage.getItem('adminKey') ? [scripts.console, scripts[location.pathname]] : []
  for (const file of new Set(wanted.flat())) {
    if (!file) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = `/${file}`
    document.head.append(link)
  }
} catch {
  // Storage may be refused; the scripts then load when the app asks for them.
}
