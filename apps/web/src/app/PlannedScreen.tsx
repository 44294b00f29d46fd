import { useLocation } from 'react-router'
import { paths } from '../lib/paths.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { TabLinks } from '../ui/TabLinks.tsx'
import type { Screen } from './screens.ts'

// The index of a screen with tabs shows its first tab.
const indexTabs: Record<string, string> = { [paths.tools]: paths.database }

export function PlannedScreen({ screen }: { screen: Screen }) {
  const { pathname, search } = useLocation()
  const address = screen.tabs?.some((tab) => tab.href === pathname + search) ? pathname + search : pathname
  const current = indexTabs[address] ?? address
  return (
    <>
      <PageHeader title={screen.heading} />
      {screen.tabs ? <TabLinks label={screen.heading} tabs={screen.tabs} current={current} /> : null}
      <EmptyState text={`Not built yet: this screen will show ${screen.promise}.`} />
    </>
  )
}
