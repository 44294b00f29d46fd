import { useLayoutEffect, useState, useSyncExternalStore } from 'react'

let holders = 0
const listeners = new Set<() => void>()

function hold(change: 1 | -1): void {
  holders += change
  for (const notify of listeners) notify()
}

const subscribe = (notify: () => void) => {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

export const isForegroundHeld = (): boolean => holders > 0

/** While this is mounted, a dialog that only now becomes ready waits: what is being typed here must not land in it. */
export function useForeground(): void {
  useLayoutEffect(() => {
    hold(1)
    return () => hold(-1)
  }, [])
}

/** Whether a dialog that is to be `open` shows yet. What shows already stays. */
export function useMayShow(open: boolean, isUrgent: boolean): boolean {
  const isHeld = useSyncExternalStore(subscribe, isForegroundHeld) && !isUrgent
  const [isShown, setShown] = useState(open && !isHeld)
  const next = open && (isShown || !isHeld)
  if (next !== isShown) setShown(next)
  return next
}
