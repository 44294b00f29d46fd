import type { PointerEvent } from 'react'
import { formatExact } from '../lib/format-time.ts'

/** A title with the exact moment, made when the pointer asks for it: a screen shows hundreds of moments. */
export function exactTitle(at: string | number, before = '') {
  return {
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.title = before + formatExact(at)
    },
  }
}
