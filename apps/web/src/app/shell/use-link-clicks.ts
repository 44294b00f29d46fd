import { useEffect, useTransition } from 'react'
import { useNavigate } from 'react-router'

/**
 * Takes every click on a link within the console over to the router. So the building blocks write plain links, which
 * also open in new tabs, and need not know the router. Tells whether a screen is on its way.
 * `onNear` is told of a link that the pointer has reached.
 */
export function useLinkClicks(onNear?: (pathname: string) => void): boolean {
  const navigate = useNavigate()
  const [moving, startMove] = useTransition()

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const handleClick = (event: MouseEvent) => {
      const address = isPlain(event) ? addressOf(event.target) : undefined
      if (!address) return
      event.preventDefault()
      startMove(() => void navigate(address.pathname + address.search + address.hash))
    }
    const handleOver = (event: PointerEvent) => {
      const address = addressOf(event.target)
      if (address) onNear?.(address.pathname)
    }
    document.addEventListener('click', handleClick, { signal })
    document.addEventListener('pointerover', handleOver, { signal, passive: true })
    return () => controller.abort()
  }, [navigate, onNear])

  return moving
}

function isPlain(event: MouseEvent): boolean {
  const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return !event.defaultPrevented && event.button === 0 && !modified
}

function addressOf(target: EventTarget | null): URL | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.hasAttribute('href') || link.hasAttribute('download') || (link.target && link.target !== '_self')) return
  const url = new URL(link.href, window.location.href)
  if (url.origin !== window.location.origin || !/^\/admin(\/|$)/.test(url.pathname)) return
  // A bare fragment belongs to the browser.
  const samePage = url.pathname === window.location.pathname && url.search === window.location.search
  return url.hash && samePage ? undefined : url
}
