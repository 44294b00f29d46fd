import type { PointerEvent, ReactNode } from 'react'
import { type Measure, measureText } from './measured.ts'

/** A value whose title tells its source and age, made when the pointer asks for it. */
export function Measured({ measure, children }: { measure: () => Measure; children: ReactNode }) {
  const handleEnter = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.title = measureText(measure())
  }
  return <span onPointerEnter={handleEnter}>{children}</span>
}
