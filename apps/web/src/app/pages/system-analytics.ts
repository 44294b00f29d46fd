import { analyticsQueries } from '../../features/system-analytics/analytics-search.ts'
import { SystemAnalyticsPage } from '../../features/system-analytics/SystemAnalyticsPage.tsx'
import type { PageModule } from '../page.tsx'

export const systemAnalyticsPage: PageModule = { Page: SystemAnalyticsPage, queriesFor: analyticsQueries }
