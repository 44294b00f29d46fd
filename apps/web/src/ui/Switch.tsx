import css from './Switch.module.css'

type Props = {
  checked: boolean
  /** Its accessible name, where no label stands around it. */
  label?: string
  disabled?: boolean
  /** Why it cannot be pressed; told on hover and to screen readers. */
  blocked?: string | undefined
  onChange: (checked: boolean) => void
}

export function Switch({ checked, label, disabled = false, blocked, onChange }: Props) {
  return (
    <input
      type="checkbox"
      role="switch"
      className={css['switch']}
      checked={checked}
      aria-checked={checked}
      aria-label={label}
      aria-description={blocked}
      title={blocked}
      disabled={disabled || blocked !== undefined}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
