import { lazy, Suspense } from 'react'
import { text } from '../../lib/search-state.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'

const StartDialog = lazy(() => import('./StartDialog.tsx').then((module) => ({ default: module.StartDialog })))

const search = { impersonate: text('', { keepsPage: true }) }

/** Opens the dialog over the screen whose address names a customer to impersonate. */
export function StartFromAddress() {
  const { state, set } = useSearchState(search)
  if (state.impersonate === '') return null
  const close = () => set({ impersonate: '' })
  return (
    <Suspense>
      <SectionBoundary resetKey={state.impersonate} onRetry={close}>
        <StartDialog key={state.impersonate} customerId={state.impersonate} onClose={close} />
      </SectionBoundary>
    </Suspense>
  )
}
