/**
 * Gathers what is typed while the field is still on its way, so that nothing typed right after the shortcut is lost.
 * What it returns ends it and gives the text.
 */
export function gatherTyped(): () => string {
  let text = ''
  const handle = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key.length === 1) text += event.key
    else if (event.key === 'Backspace') text = text.slice(0, -1)
    // What is behind must not be sent by it.
    else if (event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', handle, true)
  return () => {
    document.removeEventListener('keydown', handle, true)
    return text
  }
}
