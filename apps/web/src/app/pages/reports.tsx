import { ExportsTab } from '../../features/exports/ExportsTab.tsx'
import { exportsList } from '../../features/exports/exports-list.ts'
import { ReportsPage } from '../../features/reports/ReportsPage.tsx'
import { reportQueries } from '../../features/reports/reports-search.ts'
import type { PageModule } from '../page.tsx'

const isExports = (params: URLSearchParams): boolean => params.get('tab') === 'exports'

/** The reports, with what the exports feature has. */
const Reports = () => <ReportsPage Exports={ExportsTab} />

export const reportsPage: PageModule = {
  Page: Reports,
  queriesFor: (params, pathname) =>
    isExports(params) ? exportsList.queriesFor(params, pathname) : reportQueries(params, pathname),
}
