import { AlertsPage } from '../../features/alerts/AlertsPage.tsx'
import { alertsQueries } from '../../features/alerts/alerts-search.ts'
import type { PageModule } from '../page.tsx'

export const alertsPage: PageModule = { Page: AlertsPage, queriesFor: alertsQueries }
