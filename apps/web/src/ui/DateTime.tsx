import type { PointerEvent } from 'react'
import { formatDate, formatDateTime, formatExact, formatRelative, formatTime } from '../lib/format-time.ts'
import { useNow } from '../lib/use-now.ts'
import css from './figures.module.css'

type Props = {
  at: string | number | null
  show?: 'date' | 'time' | 'date-time' | 'relative'
  /** What stands in when there is no such moment. */
  none?: string
}

const formats = { date: formatDate, time: formatTime, 'date-time': formatDateTime }

export function DateTime({ at, show = 'date', none = 'Never' }: Props) {
  if (at === null) return <span className={css['none']}>{none}</span>
  if (show === 'relative') return <RelativeTime at={at} />
  return <Moment at={at} text={formats[show](at)} />
}

function RelativeTime({ at }: { at: string | number }) {
  return <Moment at={at} text={formatRelative(at, useNow())} />
}

function Moment({ at, text }: { at: string | number; text: string }) {
  return (
    <time className={css['figure']} dateTime={new Date(at).toISOString()} onPointerEnter={tellExactly}>
      {text}
    </time>
  )
}

// Lists show hundreds of moments; the long form of one is made when it is asked for.
function tellExactly(event: PointerEvent<HTMLTimeElement>): void {
  event.currentTarget.title = formatExact(event.currentTarget.dateTime)
}
