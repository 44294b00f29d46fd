import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

const nearEndPx = 24

type Init = {
  height: number
  /** Lines are still coming when the log is opened. */
  isLive: boolean
  /** Where it begins, if not at the end. */
  line: number | null
}

/** Keeps the end in sight while lines come, until the reader scrolls up; back at the end it goes on. */
export function useFollow(scroller: RefObject<HTMLElement | null>, { height, isLive, line }: Init) {
  const [wasLive] = useState(isLive)
  const [chosen, setChosen] = useState(isLive && line === null)
  const lastTop = useRef(0)

  useLayoutEffect(() => {
    const box = scroller.current
    if (!box || !wasLive || !chosen || height === 0) return
    box.scrollTop = box.scrollHeight
    lastTop.current = box.scrollTop
  }, [scroller, wasLive, chosen, height])

  useEffect(() => {
    const box = scroller.current
    if (!box || !wasLive) return
    const handleScroll = () => {
      const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < nearEndPx
      if (isAtEnd) setChosen(true)
      else if (box.scrollTop < lastTop.current) setChosen(false)
      lastTop.current = box.scrollTop
    }
    box.addEventListener('scroll', handleScroll, { passive: true })
    return () => box.removeEventListener('scroll', handleScroll)
  })
  return { isOn: chosen, toggle: () => setChosen((now) => !now) }
}
