import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { addDays, addMonths, weekday, weeksOf } from '../lib/calendar-days.ts'
import { formatLongDay, formatMonth, today } from '../lib/format-time.ts'
import { Button } from './Button.tsx'
import css from './Calendar.module.css'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { Popup } from './Popup.tsx'

type Props = {
  anchor: HTMLElement
  /** Of which field: 'From'. */
  label: string
  /** Empty while none is chosen. */
  value: string
  onChoose: (day: string) => void
  onClose: () => void
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Where a key leads, as the date grid of the ARIA authoring practices has it. */
const moves: Record<string, (day: string, isShift: boolean) => string> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekday(day)),
  End: (day) => addDays(day, 6 - weekday(day)),
  PageUp: (day, isShift) => addMonths(day, isShift ? -12 : -1),
  PageDown: (day, isShift) => addMonths(day, isShift ? 12 : 1),
}

/** A month to choose a day from, in a popup under its button. */
export function Calendar({ anchor, label, value, onChoose, onClose }: Props) {
  const [active, setActive] = useState(value || today())
  const heading = useId()
  const grid = useRef<HTMLTableElement>(null)
  const isMoved = useRef(false)
  useEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })
  const handleKey = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (move) {
      isMoved.current = true
      setActive(move(active, event.shiftKey))
    } else if (event.key === 'Enter' || event.key === ' ') onChoose(active)
    else return
    event.preventDefault()
  }
  const turn = (name: string, icon: 'chevronLeft' | 'chevronRight', count: number) => (
    <IconButton small label={name} onClick={() => setActive(addMonths(active, count))}>
      <Icon name={icon} />
    </IconButton>
  )
  return (
    <Popup narrow anchor={anchor} label={`${label}: choose a day`} onClose={onClose}>
      <div className={css['calendar']}>
        <div className={css['head']}>
          {turn('Previous month', 'chevronLeft', -1)}
          <p id={heading} aria-live="polite" className={css['month']}>
            {formatMonth(active.slice(0, 7))}
          </p>
          {turn('Next month', 'chevronRight', 1)}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern's own grid is a table. */}
        <table ref={grid} role="grid" aria-labelledby={heading} className={css['grid']} onKeyDown={handleKey}>
          <thead>
            <tr>
              {weekdays.map((name) => (
                <th key={name} scope="col" abbr={name}>
                  {name.slice(0, 2)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOf(active).map((week) => (
              <tr key={week.find((day) => day !== null)}>
                {week.map((day, place) =>
                  day === null ? <td key={weekdays[place]} /> : <Day key={day} {...{ day, active, value, onChoose }} />,
                )}
              </tr>
            ))}
          </tbody>
        </table>
        <div className={css['foot']}>
          <Button size="small" onClick={() => onChoose(today())}>
            Today
          </Button>
          {value === '' ? null : (
            <Button size="small" onClick={() => onChoose('')}>
              Clear
            </Button>
          )}
        </div>
      </div>
    </Popup>
  )
}

type DayProps = Pick<Props, 'value' | 'onChoose'> & { day: string; active: string }

function Day({ day, active, value, onChoose }: DayProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys of all its days.
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above.
      role="gridcell"
      tabIndex={day === active ? 0 : -1}
      data-first-focus={day === active || undefined}
      aria-label={formatLongDay(day)}
      aria-selected={day === value}
      aria-current={day === today() ? 'date' : undefined}
      onClick={() => onChoose(day)}
    >
      {Number(day.slice(8))}
    </td>
  )
}
