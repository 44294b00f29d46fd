import { MetricsPage } from '../../features/monitoring/MetricsPage.tsx'
import { metricQueries } from '../../features/monitoring/metric-search.ts'
import type { PageModule } from '../page.tsx'

export const metricsPage: PageModule = { Page: MetricsPage, queriesFor: metricQueries }
