import type { ReactNode } from 'react'
import css from './Toggle.module.css'

type GroupProps = { label: string; children: ReactNode }

/** Toggles of which several may be on at once. */
export function ToggleGroup({ label, children }: GroupProps) {
  return (
    <fieldset className={css['group']} aria-label={label}>
      {children}
    </fieldset>
  )
}

type Props = { isOn: boolean; denial?: string | undefined; onToggle: () => void; children: ReactNode }

export function Toggle({ isOn, denial, onToggle, children }: Props) {
  const button = (
    <button
      type="button"
      className={css['toggle']}
      aria-pressed={isOn}
      aria-description={denial}
      disabled={denial !== undefined}
      onClick={onToggle}
    >
      {children}
    </button>
  )
  // A button that is off shows no title of its own.
  return denial === undefined ? button : <span title={denial}>{button}</span>
}
