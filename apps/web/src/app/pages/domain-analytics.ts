import { analyticsQueries } from '../../features/domain-analytics/analytics-search.ts'
import { DomainAnalyticsPage } from '../../features/domain-analytics/DomainAnalyticsPage.tsx'
import type { PageModule } from '../page.tsx'

export const domainAnalyticsPage: PageModule = { Page: DomainAnalyticsPage, queriesFor: analyticsQueries }
