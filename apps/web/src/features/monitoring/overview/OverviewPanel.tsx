import type { MonitoringOverview } from '@agency/contract/types'
import type { ReactNode } from 'react'
import type { ApiError } from '../../../lib/problems.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import css from '../monitoring.module.css'

export type Board = {
  /** undefined while the first load runs. */
  overview: MonitoringOverview | undefined
  /** The last refresh failed; what was known before stays. */
  error: ApiError | null
  lifetimeMs: number
  refresh: () => void
}

type Props = {
  title: string
  board: Board
  /** Where the card leads. */
  href: string
  link: string
  /** What figures without a header of their own mean. */
  legend?: string | undefined
  flush?: boolean
  children: (overview: MonitoringOverview) => ReactNode
}

/** A card of the overview, which loads and ages like the others. */
export function OverviewPanel({ title, board, href, link, legend, flush = false, children }: Props) {
  const { overview } = board
  return (
    <Panel
      title={title}
      asOf={overview?.lastUpdated ?? null}
      lifetimeMs={board.lifetimeMs}
      error={overview ? board.error : null}
      onRetry={board.refresh}
      loading={overview === undefined}
      skeleton={
        <div style={flush ? { padding: '0 16px' } : undefined}>
          <SkeletonLines count={4} silent />
        </div>
      }
      footer={
        <div className={css['foot']}>
          <a href={href}>{link}</a>
          {legend === undefined ? null : <span className={css['legend']}>{legend}</span>}
        </div>
      }
      flush={flush}
    >
      {overview ? children(overview) : null}
    </Panel>
  )
}
