import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

type Options = {
  input: RefObject<HTMLInputElement | null>
  /** The box of the lines: what only it understands is typed while it has the focus. */
  scroller: RefObject<HTMLElement | null>
  onNext: () => void
  onPrevious: () => void
  /** The line that is so many below the named one is named. */
  onMove: (by: -1 | 0 | 1) => void
  onEnd: () => void
}

/** As `aria-keyshortcuts` tells them. */
export const lineKeys = 'Enter j k End'

/**
 * `/` and Ctrl F reach the search, n and N its next and previous place, from anywhere on the screen. Among the lines Enter
 * names the first one that is seen, j and k the next and the previous one, and End goes to the last.
 */
export function useLogKeys({ input, scroller, onNext, onPrevious, onMove, onEnd }: Options): void {
  const acts: Record<Act, () => void> = {
    search: () => {
      input.current?.focus()
      input.current?.select()
    },
    next: onNext,
    previous: onPrevious,
    here: () => onMove(0),
    below: () => onMove(1),
    above: () => onMove(-1),
    end: onEnd,
  }
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    const act = actOf(event, isTyping, target === scroller.current)
    if (!act) return
    // The page below may have a search of its own.
    event.preventDefault()
    event.stopPropagation()
    acts[act]()
  })
  useLayoutEffect(() => {
    document.addEventListener('keydown', handle, { capture: true })
    return () => document.removeEventListener('keydown', handle, { capture: true })
  }, [])
}

type Act = 'search' | 'next' | 'previous' | 'here' | 'below' | 'above' | 'end'

const everywhere: Record<string, Act> = { '/': 'search', n: 'next', N: 'previous' }
const amongLines: Record<string, Act> = { Enter: 'here', j: 'below', k: 'above', End: 'end' }

function actOf(event: KeyboardEvent, isTyping: boolean, isAmongLines: boolean): Act | undefined {
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && !event.altKey && event.key.toLowerCase() === 'f') return 'search'
  if (isTyping || withControl || event.altKey) return undefined
  return everywhere[event.key] ?? (isAmongLines ? amongLines[event.key] : undefined)
}
