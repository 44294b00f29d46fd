import { useSearchParams } from 'react-router'
import { ExportsTab } from '../../features/exports/ExportsTab.tsx'
import { exportsList } from '../../features/exports/exports-list.ts'
import { paths } from '../../lib/paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import { PlannedScreen } from '../PlannedScreen.tsx'
import type { PageModule } from '../page.tsx'
import { plannedScreens } from '../screens.ts'

const isExports = (params: URLSearchParams): boolean => params.get('tab') === 'exports'

function ReportsPage() {
  const [params] = useSearchParams()
  const screen = plannedScreens.reports
  if (!isExports(params)) return <PlannedScreen screen={screen} />
  return (
    <>
      <PageHeader title={screen.heading} summary="Files of lists and reports, kept for 24 hours" />
      <TabLinks label={screen.heading} tabs={screen.tabs} current={paths.exports} />
      <ExportsTab />
    </>
  )
}

export const reportsPage: PageModule = {
  Page: ReportsPage,
  queriesFor: (params, pathname) => (isExports(params) ? exportsList.queriesFor(params, pathname) : []),
}
