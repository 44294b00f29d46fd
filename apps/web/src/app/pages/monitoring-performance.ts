import { metricQueries } from '../../features/monitoring/metric-search.ts'
import { PerformancePage } from '../../features/monitoring/PerformancePage.tsx'
import type { PageModule } from '../page.tsx'

export const monitoringPerformancePage: PageModule = { Page: PerformancePage, queriesFor: metricQueries }
