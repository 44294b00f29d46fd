import { HealthPage } from '../../features/health/HealthPage.tsx'
import { healthQueries } from '../../features/health/health-search.ts'
import type { PageModule } from '../page.tsx'

export const healthPage: PageModule = { Page: HealthPage, queriesFor: healthQueries }
