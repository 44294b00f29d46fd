import type { MouseEvent, ReactNode } from 'react'
import css from './IconButton.module.css'

type Props = {
  /** What it does; its accessible name and its tooltip. */
  label: string
  children: ReactNode
  onClick: (event: MouseEvent<HTMLButtonElement>) => void
  small?: boolean
  /** Takes the colour of its surroundings. */
  inherit?: boolean
  disabled?: boolean
  /** What it opens, and whether that is open. */
  opens?: 'menu' | 'dialog'
  expanded?: boolean
}

export function IconButton(props: Props) {
  const { label, children, onClick, small = false, inherit = false, disabled = false, opens, expanded } = props
  return (
    <button
      type="button"
      className={css['button']}
      data-small={small}
      data-inherit={inherit}
      aria-label={label}
      title={label}
      aria-haspopup={opens}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
