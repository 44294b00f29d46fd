import { useEffect, useRef } from 'react'
import type { Session } from '../lib/session.ts'

/** The dashboard's code and data may come late. */
const patienceMs = 20_000

/** Whoever has just signed in starts at the heading of the screen; a page that is only reloaded is left as it is. */
export function useHeadingFocus(phase: Session['phase']): void {
  const before = useRef(phase)
  useEffect(() => {
    const last = before.current
    before.current = phase
    if (phase === 'signed-in' && (last === 'signed-out' || last === 'incomplete')) return keepAtHeading()
  }, [phase])
}

/** A page that arrives may take the heading and the focus away with the one that stood in for it. */
function keepAtHeading(): () => void {
  const look = () => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    for (const event of inputs) window.removeEventListener(event, stop, true)
  }
  const timer = setTimeout(stop, patienceMs)
  for (const event of inputs) window.addEventListener(event, stop, true)
  look()
  return stop
}

/** From here on the person decides where the focus is. */
const inputs = ['keydown', 'pointerdown'] as const
