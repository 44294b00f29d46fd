import { useSyncExternalStore } from 'react'

/** Whether a media query matches, told again when it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}

export const phone = '(max-width: 599.95px)'
export const narrow = '(max-width: 899.95px)'
