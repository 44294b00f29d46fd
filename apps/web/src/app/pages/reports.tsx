import { ExportsTab } from '../../features/exports/ExportsTab.tsx'
import { exportsList } from '../../features/exports/exports-list.ts'
import { SchedulesTab } from '../../features/report-schedules/SchedulesTab.tsx'
import { schedulesList } from '../../features/report-schedules/schedules-list.ts'
import { ReportsPage } from '../../features/reports/ReportsPage.tsx'
import { reportQueries } from '../../features/reports/reports-search.ts'
import type { PageModule } from '../page.tsx'

const lists: Record<string, { queriesFor: PageModule['queriesFor'] } | undefined> = {
  exports: exportsList,
  schedules: schedulesList,
}

/** The reports, with what the exports and the schedules have. */
const Reports = () => <ReportsPage Exports={ExportsTab} Schedules={SchedulesTab} />

export const reportsPage: PageModule = {
  Page: Reports,
  queriesFor: (params, pathname) =>
    (lists[params.get('tab') ?? '']?.queriesFor ?? reportQueries)?.(params, pathname) ?? [],
}
