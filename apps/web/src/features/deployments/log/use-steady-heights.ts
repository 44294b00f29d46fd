import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { createHeights } from './wrapped-heights.ts'

type Options = {
  virtualizer: Virtualizer<HTMLElement, Element>
  scroller: RefObject<HTMLElement | null>
  heights: ReturnType<typeof createHeights>
  wraps: boolean
  /** Another value once lines came. */
  state: object
  /** The end is kept in sight by somebody else. */
  isFollowing: RefObject<boolean>
}

/** Places every group anew once it may be of another height, and keeps what is seen where it is seen. */
export function useSteadyHeights({ virtualizer, scroller, heights, wraps, state, isFollowing }: Options): void {
  const anchor = useRef<{ index: number; into: number }>(undefined)
  useLayoutEffect(() => {
    const box = scroller.current
    const { index, into } = anchor.current ?? {}
    anchor.current = undefined
    const start = index === undefined ? undefined : virtualizer.measurementsCache[index]?.start
    if (box && start !== undefined && into !== undefined) box.scrollTop = start + into
  })

  // Lines that are not wrapped are all of one height, whatever they say.
  const cause = wraps ? state : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them may bring other heights
  useLayoutEffect(() => {
    const box = scroller.current
    if (wraps && box) {
      const seen = isFollowing.current ? undefined : virtualizer.getVirtualItemForOffset(box.scrollTop)
      if (seen) anchor.current = { index: seen.index, into: box.scrollTop - seen.start }
      for (const element of box.querySelectorAll('[data-index]'))
        heights.note(virtualizer.indexFromElement(element), element.getBoundingClientRect().height)
    }
    virtualizer.measure()
  }, [virtualizer, heights, wraps, cause])
}
