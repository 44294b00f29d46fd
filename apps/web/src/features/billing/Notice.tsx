import type { ReactNode } from 'react'
import css from './billing.module.css'

export function Notice({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div role="note" className={css['notice']}>
      <p>{children}</p>
      {action}
    </div>
  )
}
