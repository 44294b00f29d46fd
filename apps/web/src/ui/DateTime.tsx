import { formatDate, formatDateTime, formatRelative, formatTime } from '../lib/format-time.ts'
import { useNow } from '../lib/use-now.ts'
import { exactTitle } from './exact-title.ts'
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
  // Elements, not components: a table shows hundreds of moments.
  return show === 'relative' ? <RelativeTime at={at} /> : moment(at, formats[show](at))
}

function RelativeTime({ at }: { at: string | number }) {
  return moment(at, formatRelative(at, useNow()))
}

function moment(at: string | number, text: string) {
  return (
    <time className={css['figure']} dateTime={isoOf(at)} {...exactTitle(at)}>
      {text}
    </time>
  )
}

export function isoOf(at: string | number): string {
  return typeof at === 'string' ? at : new Date(at).toISOString()
}
