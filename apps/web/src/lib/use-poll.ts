import { useEffect, useRef } from 'react'
import { useSessionState } from './session.ts'
import { load } from './storage.ts'

const openedAt = Date.now()

/** Calls back at the given pace, but not while the page is hidden or the session idles towards its warning. */
export function usePoll(everyMs: number, callback: () => void): void {
  const { session } = useSessionState()
  const activeMs = (session?.warn_after_s ?? 25 * 60) * 1000
  const latest = useRef(callback)

  useEffect(() => {
    latest.current = callback
  })

  useEffect(() => {
    const timer = setInterval(() => {
      const lastActivity = Math.max(openedAt, load('lastActivity') ?? 0)
      if (!document.hidden && Date.now() - lastActivity < activeMs) latest.current()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs, activeMs])
}
