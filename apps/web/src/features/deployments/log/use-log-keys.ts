import { type RefObject, useEffect, useEffectEvent } from 'react'

type Options = { input: RefObject<HTMLInputElement | null>; onNext: () => void; onPrevious: () => void }

/** `/` and Ctrl F reach the search, n and N its next and previous place, from anywhere on the screen. */
export function useLogKeys({ input, onNext, onPrevious }: Options): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const isTyping = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
    const act = actOf(event, isTyping)
    if (!act) return
    // The page below may have a search of its own.
    event.preventDefault()
    event.stopPropagation()
    if (act === 'search') {
      input.current?.focus()
      input.current?.select()
    } else if (act === 'next') onNext()
    else onPrevious()
  })
  useEffect(() => {
    document.addEventListener('keydown', handle, { capture: true })
    return () => document.removeEventListener('keydown', handle, { capture: true })
  }, [])
}

function actOf(event: KeyboardEvent, isTyping: boolean): 'search' | 'next' | 'previous' | undefined {
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && !event.altKey && event.key.toLowerCase() === 'f') return 'search'
  if (isTyping || withControl || event.altKey) return undefined
  if (event.key === '/') return 'search'
  if (event.key === 'n') return 'next'
  return event.key === 'N' ? 'previous' : undefined
}
