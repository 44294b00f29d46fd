import { useEffect } from 'react'
import { useNavigate } from 'react-router'

/**
 * Takes every click on a link within the console over to the router. So the building blocks write plain links, which
 * also open in new tabs, and need not know the router.
 */
export function useLinkClicks(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const handle = (event: MouseEvent) => {
      const address = addressOf(event)
      if (!address) return
      event.preventDefault()
      void navigate(address)
    }
    document.addEventListener('click', handle)
    return () => document.removeEventListener('click', handle)
  }, [navigate])
}

function addressOf(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a')
  if (!link?.hasAttribute('href') || link.hasAttribute('download') || (link.target && link.target !== '_self')) return
  const url = new URL(link.href, window.location.href)
  if (url.origin !== window.location.origin || !/^\/admin(\/|$)/.test(url.pathname)) return
  // A bare fragment belongs to the browser.
  if (url.hash && url.pathname === window.location.pathname && url.search === window.location.search) return
  return url.pathname + url.search + url.hash
}
