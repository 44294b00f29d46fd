import { useEffect, useRef, useState } from 'react'

/** Whether an element's content is wider than the element. */
export function useTooWide() {
  const box = useRef<HTMLDivElement>(null)
  const [tooWide, setTooWide] = useState(false)

  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      const content = element.querySelector('table')
      setTooWide((content?.scrollWidth ?? 0) > element.clientWidth + 1)
    })
    observer.observe(element)
    const table = element.querySelector('table')
    if (table) observer.observe(table)
    return () => observer.disconnect()
  }, [])

  return [box, tooWide] as const
}
