import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const nearEndPx = 24

type Init = {
  /** Lines are still coming when the log is opened. */
  isLive: boolean
  /** Where it begins, if not at the end. */
  line: number | null
}

/**
 * Keeps the end in sight while lines come, until the reader scrolls up; back at the end it continues. While it follows
 * (`isFollowing`), nobody else may scroll the box.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, { isLive, line }: Init) {
  const [wasLive] = useState(isLive)
  const [isOn, setOn] = useState(isLive && line === null)
  // Known before the next draw: whoever scrolls up must not be pulled back by a line that comes at the same time.
  const isFollowing = useRef(isOn)
  const lastTop = useRef(0)
  const set = useCallback((next: boolean) => {
    isFollowing.current = next
    setOn(next)
  }, [])
  const stop = useCallback(() => set(false), [set])

  const noteScroll = useCallback(
    (box: HTMLElement) => {
      const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
      if (isAtEnd) set(true)
      else if (box.scrollTop < lastTop.current) set(false)
      lastTop.current = box.scrollTop
    },
    [set],
  )

  // With every draw: lines that are wrapped or laid out anew move the end without being more.
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || !wasLive || !isFollowing.current) return
    // The browser tells of a scroll a frame later: a line that comes in between must not take it back.
    noteScroll(box)
    if (!isFollowing.current) return
    box.scrollTop = box.scrollHeight
    lastTop.current = box.scrollTop
  })

  useEffect(() => {
    const box = scroller.current
    if (!box || !wasLive) return
    const handleScroll = () => noteScroll(box)
    // Before the listener that draws what is seen.
    box.addEventListener('scroll', handleScroll, { passive: true, capture: true })
    return () => box.removeEventListener('scroll', handleScroll, { capture: true })
  })
  const toggle = () => {
    lastTop.current = scroller.current?.scrollTop ?? 0
    set(!isFollowing.current)
  }
  return { isOn, isFollowing, toggle, stop }
}
