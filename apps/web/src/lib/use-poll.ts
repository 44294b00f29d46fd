import { useEffect, useRef } from 'react'
import { isSessionActive } from './activity.ts'

const dashboardPollMs = 10 * 60_000

/** Calls back every ten minutes; a turn is skipped while the tab is hidden or the session is inactive. `null`: never. */
export function usePoll(callback: () => void, everyMs: number | null = dashboardPollMs): void {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => {
      if (!document.hidden && isSessionActive()) latest.current()
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
