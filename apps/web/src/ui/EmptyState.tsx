import type { ReactNode } from 'react'
import css from './EmptyState.module.css'

type Props = {
  title?: string
  /** Why there is nothing, and what would bring something. */
  text?: ReactNode
  icon?: ReactNode
  /** The next step. */
  action?: ReactNode
  compact?: boolean
}

export function EmptyState({ title, text, icon, action, compact = false }: Props) {
  return (
    <div className={css['empty']} data-compact={compact}>
      {icon ? (
        <span className={css['icon']} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {title ? <p className={css['title']}>{title}</p> : null}
      {text ? <p className={css['text']}>{text}</p> : null}
      {action ? <div className={css['action']}>{action}</div> : null}
    </div>
  )
}
