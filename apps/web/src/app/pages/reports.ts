import { ReportsPage } from '../../features/reports/ReportsPage.tsx'
import { reportQueries } from '../../features/reports/reports-search.ts'
import type { PageModule } from '../page.tsx'

export const reportsPage: PageModule = { Page: ReportsPage, queriesFor: reportQueries }
