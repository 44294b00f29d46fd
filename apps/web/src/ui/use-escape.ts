import { useEffectEvent, useLayoutEffect } from 'react'

/** What is open, the topmost last. */
const open: symbol[] = []

/**
 * Escape while nothing has the focus, such as after the button that was pressed went away: no element of the dialog would
 * hear of it. Only what is on top answers.
 */
export function useEscapeFromNowhere(isOpen: boolean, onEscape: (event: KeyboardEvent) => void): void {
  const handleEscape = useEffectEvent(onEscape)
  useLayoutEffect(() => {
    if (!isOpen) return
    const self = Symbol()
    open.push(self)
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && event.target === document.body && open.at(-1) === self) handleEscape(event)
    }
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('keydown', handleKey)
      open.splice(open.indexOf(self), 1)
    }
  }, [isOpen])
}
