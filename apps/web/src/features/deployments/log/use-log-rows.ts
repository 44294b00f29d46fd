import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { chunkOf, chunkSize, type LogStore, linesIn } from './log-store.ts'

const lineHeight = 20
/** The lines around the wanted one may have to be read first. */
const looks = 60
const restingFrames = 3

/** Which groups of lines are drawn where, and how to get to a line. */
export function useLogRows(
  log: LogStore,
  scroller: RefObject<HTMLElement | null>,
  wraps: boolean,
  line: number | null,
) {
  const state = useSyncExternalStore(log.subscribe, log.state)
  const total = state.total ?? 0
  const virtualizer = useVirtualizer({
    count: Math.ceil(total / chunkSize),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => linesIn(index, total) * lineHeight,
    // Asking for the height would lay everything out at once: what is laid out anyway tells it, before it is seen.
    measureElement: (element, entry) =>
      wraps && entry ? (entry.borderBoxSize[0]?.blockSize ?? 0) : element.childElementCount * lineHeight,
    overscan: 3,
    initialRect: { width: 800, height: 480 },
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: of more lines more may be seen
  useEffect(() => log.want(first * chunkSize + 1, (last + 1) * chunkSize), [log, first, last, total])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every height is another one then
  useEffect(() => virtualizer.measure(), [virtualizer, wraps])

  const firstSeen = useCallback((): number => {
    const box = scroller.current
    const top = box?.getBoundingClientRect().top ?? 0
    const seen = [...(box?.querySelectorAll('[data-line]') ?? [])].find(
      (element) => element.getBoundingClientRect().bottom > top + 1,
    )
    return Number(seen?.getAttribute('data-line') ?? 1)
  }, [scroller])
  const goTo = useCallback(
    (number: number, block: 'start' | 'center' = 'center') => {
      const [offset] = virtualizer.getOffsetForIndex(chunkOf(number), 'start') ?? [0]
      if (scroller.current) scroller.current.scrollTop = offset
      settleOn(scroller, number, block)
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

/** Heights above the line may still change while its surroundings are read and laid out: it is followed until it rests. */
function settleOn(scroller: RefObject<HTMLElement | null>, number: number, block: 'start' | 'center'): void {
  let left = looks
  let rested = 0
  const look = () => {
    const box = scroller.current
    const element = box?.querySelector(`[data-line="${number}"]`)
    if (box && element) {
      const here = element.getBoundingClientRect()
      const room = block === 'start' ? 0 : (box.clientHeight - here.height) / 2
      const before = box.scrollTop
      box.scrollTop += here.top - box.getBoundingClientRect().top - room
      rested = Math.abs(box.scrollTop - before) < 1 ? rested + 1 : 0
    }
    left -= 1
    if (left > 0 && rested < restingFrames) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
