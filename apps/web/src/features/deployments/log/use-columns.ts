import { type RefObject, useLayoutEffect, useState } from 'react'

/** How many zeros wide the ruler's only child is. */
export const rulerColumns = 100

/** How many characters stand side by side where the ruler is; 0 while there is none. */
export function useColumns(ruler: RefObject<HTMLElement | null>, wraps: boolean): number {
  const [columns, setColumns] = useState(0)
  useLayoutEffect(() => {
    const space = ruler.current
    const hundred = space?.firstElementChild
    if (!wraps || !space || !hundred || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const column = hundred.getBoundingClientRect().width / rulerColumns
      setColumns(column > 0 ? Math.floor(space.getBoundingClientRect().width / column) : 0)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(space)
    return () => observer.disconnect()
  }, [ruler, wraps])
  return columns
}
