import type { ReactNode } from 'react'
import type { Action } from './action.ts'
import { MoreMenu } from './MoreMenu.tsx'
import css from './PageHeader.module.css'

type Props = {
  title: string
  /** What this screen is about right now: "128 active · 3 past due". */
  summary?: ReactNode
  /** At most three buttons, the main one filled and last. */
  actions?: ReactNode
  /** Everything else that can be done here. */
  more?: readonly Action[]
}

export function PageHeader({ title, summary, actions, more }: Props) {
  return (
    <header className={css['header']}>
      <div className={css['words']}>
        <h1 className={css['title']} tabIndex={-1} data-page-title="">
          {title}
        </h1>
        {summary === undefined ? null : <p className={css['summary']}>{summary}</p>}
      </div>
      {actions || more ? (
        <div className={css['actions']}>
          {actions}
          {more ? <MoreMenu label="More actions" actions={more} /> : null}
        </div>
      ) : null}
    </header>
  )
}
