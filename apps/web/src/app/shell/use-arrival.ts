import { useEffect, useLayoutEffect, useRef } from 'react'
import { isForegroundHeld } from '../../ui/foreground.ts'

/** After a change of screen: its title, the top of the page, and the focus in it, unless somebody is typing in the palette. */
export function useArrival(pathname: string, title: string) {
  const main = useRef<HTMLElement>(null)
  const last = useRef(pathname)

  useEffect(() => {
    document.title = title ? `${title} · Agency Console` : 'Agency Console'
  }, [title])

  // Before it is seen: a key that is pressed at once belongs to the new screen.
  useLayoutEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    window.scrollTo(0, 0)
    // A screen can arrive late; what is being typed by then must not be lost.
    if (!isForegroundHeld()) main.current?.focus({ preventScroll: true })
  }, [pathname])

  return main
}
