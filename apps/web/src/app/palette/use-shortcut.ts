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

export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

export const shortcutHint = isApple ? '⌘ K' : 'Ctrl K'
