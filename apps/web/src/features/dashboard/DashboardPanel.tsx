import type { DashboardSection } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { sectionAccess } from '../../lib/screen-access.ts'
import { useDenial } from '../../lib/session.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import type { SectionData } from './dashboard-view.ts'
import type { Dashboard } from './use-dashboard.ts'

// A little more than the ten minutes between two refreshes.
const lifetimeMs = 11 * 60_000

type Props<K extends DashboardSection> = {
  title: string
  section: K
  board: Dashboard
  children: (data: SectionData<K>) => ReactNode
  /** What stands in when everything failed and nothing is known; without it the panel says Unavailable. */
  fallback?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  flush?: boolean
  lines?: number
}

/** A panel that loads, fails, ages and is tried again by itself. Whoever may not see its section does not have it. */
export function DashboardPanel<K extends DashboardSection>(props: Props<K>) {
  const { title, section: name, board, children, flush = false } = props
  const denial = useDenial({ permission: sectionAccess[name] })
  const section = board.view?.[name]
  const data = section?.data
  const forbidden = section?.error?.code === 'forbidden'
  // The page itself says that nothing could be fetched; a panel adds to it only what it stands for.
  const lost = board.error !== null && data === undefined
  if (denial) return null
  return (
    <Panel
      title={title}
      asOf={section?.asOf ?? null}
      lifetimeMs={lifetimeMs}
      error={forbidden || lost ? null : (section?.error ?? null)}
      onRetry={() => board.retry(name)}
      loading={section === undefined || (board.retrying.has(name) && data === undefined)}
      skeleton={
        <div style={flush ? { padding: '0 16px' } : undefined}>
          <SkeletonLines count={props.lines ?? 5} silent />
        </div>
      }
      actions={props.actions}
      footer={props.footer}
      flush={flush}
    >
      {data === undefined ? (
        forbidden ? (
          <EmptyState compact title="Not for your role" text={section?.error?.message} />
        ) : (
          (props.fallback ?? <EmptyState compact text="Unavailable" />)
        )
      ) : (
        children(data)
      )}
    </Panel>
  )
}
