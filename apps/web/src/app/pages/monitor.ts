import { MonitorPage } from '../../features/monitoring/MonitorPage.tsx'
import { monitorQueries } from '../../features/monitoring/monitor-search.ts'
import type { PageModule } from '../page.tsx'

export const monitorPage: PageModule = { Page: MonitorPage, queriesFor: monitorQueries }
