import { isApple } from './use-shortcut.ts'

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
