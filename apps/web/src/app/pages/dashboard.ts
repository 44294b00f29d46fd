import { DashboardPage } from '../../features/dashboard/DashboardPage.tsx'
import { needsQuery } from '../../features/dashboard/needs.ts'
import { dashboardQuery } from '../../features/dashboard/use-dashboard.ts'
import type { PageModule } from '../page.tsx'

export const dashboardPage: PageModule = { Page: DashboardPage, queriesFor: () => [dashboardQuery, needsQuery] }
