import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { chunkOf, chunkSize, type LogStore, linesIn } from './log-store.ts'
import { useColumns } from './use-columns.ts'
import { useSteadyHeights } from './use-steady-heights.ts'
import { createHeights, lineHeight } from './wrapped-heights.ts'

/** The lines around the wanted one may have to be read first. */
const looks = 60
const restingFrames = 3

type Options = {
  scroller: RefObject<HTMLElement | null>
  ruler: RefObject<HTMLElement | null>
  wraps: boolean
  line: number | null
  /** The end is kept in sight by somebody else. */
  isFollowing: RefObject<boolean>
}

/** Which groups of lines are drawn where, and how to get to a line. */
export function useLogRows(log: LogStore, { scroller, ruler, wraps, line, isFollowing }: Options) {
  const state = useSyncExternalStore(log.subscribe, log.state)
  const total = state.total ?? 0
  const columns = useColumns(ruler, wraps)
  const heights = useMemo(() => createHeights(log, columns), [log, columns])
  const heightOf = (index: number) => (wraps ? heights.of(index, total) : linesIn(index, total) * lineHeight)
  const virtualizer: Virtualizer<HTMLElement, Element> = useVirtualizer<HTMLElement, Element>({
    count: Math.ceil(total / chunkSize),
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    // Asking for the height would lay everything out at once: what is laid out anyway tells it, before it is seen.
    measureElement: (element, entry) => {
      const index = virtualizer.indexFromElement(element)
      const laidOut = wraps ? entry?.borderBoxSize[0]?.blockSize : undefined
      return laidOut === undefined ? heightOf(index) : heights.note(index, laidOut)
    },
    overscan: 2,
    // Both ends move at once: each change of what is drawn lays it out anew.
    rangeExtractor: (range) => {
      if (wraps) return defaultRangeExtractor(range)
      const seen = Math.ceil((virtualizer.scrollRect?.height ?? 0) / (chunkSize * lineHeight)) + 1
      const endIndex = Math.min(Math.max(range.endIndex, range.startIndex + seen - 1), range.count - 1)
      return defaultRangeExtractor({ ...range, endIndex })
    },
    initialRect: { width: 800, height: 480 },
  })
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isFollowing.current ? () => false : undefined
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: of more lines more may be seen
  useEffect(() => log.want(first * chunkSize + 1, (last + 1) * chunkSize), [log, first, last, total])

  useSteadyHeights({ virtualizer, scroller, heights, wraps, state, isFollowing })

  const firstSeen = useCallback((): number => {
    const box = scroller.current
    const top = box?.getBoundingClientRect().top ?? 0
    const seen = [...(box?.querySelectorAll('[data-line]') ?? [])].find(
      (element) => element.getBoundingClientRect().bottom > top + 1,
    )
    return Number(seen?.getAttribute('data-line') ?? 1)
  }, [scroller])
  const settling = useRef(0)
  const goTo = useCallback(
    (number: number, block: 'start' | 'center' = 'center') => {
      const [offset] = virtualizer.getOffsetForIndex(chunkOf(number), 'start') ?? [0]
      if (scroller.current) scroller.current.scrollTop = offset
      settling.current += 1
      const turn = settling.current
      settleOn(scroller, number, block, () => settling.current === turn)
    },
    [virtualizer, scroller],
  )
  const gone = useRef<number | null>(null)
  useEffect(() => {
    if (line === null || total < line || gone.current === line) return
    gone.current = line
    goTo(line)
  }, [line, total, goTo])

  return { ...state, items, height: virtualizer.getTotalSize(), measure: virtualizer.measureElement, firstSeen, goTo }
}

/**
 * Heights above the line may still change while its surroundings are read and laid out: it is followed until it rests, or
 * until another line is wanted.
 */
function settleOn(
  scroller: RefObject<HTMLElement | null>,
  number: number,
  block: 'start' | 'center',
  isWanted: () => boolean,
): void {
  let left = looks
  let rested = 0
  const look = () => {
    if (!isWanted()) return
    const box = scroller.current
    const element = box?.querySelector(`[data-line="${number}"]`)
    if (box && element) {
      const here = element.getBoundingClientRect()
      const room = block === 'start' ? 0 : (box.clientHeight - here.height) / 2
      const before = box.scrollTop
      box.scrollTop += here.top - box.getBoundingClientRect().top - room
      const isRead = element.querySelector('bdi') !== null
      rested = isRead && Math.abs(box.scrollTop - before) < 1 ? rested + 1 : 0
    }
    left -= 1
    if (left > 0 && rested < restingFrames) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
