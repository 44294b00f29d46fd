import { lazy, Suspense } from 'react'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import type { DomainAct } from './domain-actions.ts'
import type { DomainSearch } from './domain-search.ts'

const DomainDetailsDialog = lazy(() =>
  import('./DomainDetailsDialog.tsx').then((module) => ({ default: module.DomainDetailsDialog })),
)
const PurgeDialog = lazy(() => import('./PurgeDialog.tsx').then((module) => ({ default: module.PurgeDialog })))

type Props = {
  /** The domain whose details are open; empty: none. */
  open: string
  tab: DomainSearch['tab']
  onTab: (tab: DomainSearch['tab']) => void
  onClose: () => void
  act: DomainAct | undefined
  onAct: (act: DomainAct | undefined) => void
}

export function DomainDialogs({ open, tab, onTab, onClose, act, onAct }: Props) {
  const closeAct = () => onAct(undefined)
  return (
    <Suspense>
      {open ? (
        <SectionBoundary resetKey={open} onRetry={onClose}>
          <DomainDetailsDialog id={open} tab={tab} onTab={onTab} onAct={onAct} onClose={onClose} />
        </SectionBoundary>
      ) : null}
      {act ? (
        <SectionBoundary resetKey={act.domain.id} onRetry={closeAct}>
          <PurgeDialog domain={act.domain} onClose={closeAct} />
        </SectionBoundary>
      ) : null}
    </Suspense>
  )
}
