import { useEffectEvent, useLayoutEffect } from 'react'

// Where another alphabet is typed the key has another letter but the same place.
const isK = ({ key, code }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' || (code === 'KeyK' && !/^[a-z]$/i.test(key))

/** Ctrl K and ⌘ K, wherever the focus is. */
export function useShortcut(onPress: () => void): void {
  const press = useEffectEvent(onPress)
  // Not a moment after its button is there: an effect runs later, on a busy machine much later.
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (!isK(event) || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      if (!event.repeat) press()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const shortcutHint = isApple ? '⌘ K' : 'Ctrl K'

const placesWithKeys = 9

/** How the option at a place, counted from 0, is chosen without pointing at it: as it is announced, and as it is shown. */
export function keysOf(place: number): { spoken: string; shown: string } | undefined {
  if (place >= placesWithKeys) return undefined
  return { spoken: `Alt+${place + 1}`, shown: `${isApple ? '⌥' : 'Alt'} ${place + 1}` }
}

/** The place, counted from 0, that Alt and a digit name. The digit is told by its key: with Alt, a Mac types another sign. */
export function placeOf({ altKey, ctrlKey, metaKey, shiftKey, code }: KeyboardEvent): number | undefined {
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]
  return digit === undefined ? undefined : Number(digit) - 1
}
