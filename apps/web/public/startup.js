// Runs before the app and apart from it: shows the page's own failure text as soon as a script cannot be had.
addEventListener(
  'error',
  (event) => {
    const isScript = event.target instanceof HTMLScriptElement || event.target === window
    if (isScript) document.documentElement.classList.add('startup-failed')
  },
  true,
)
