import { IncidentsPage } from '../../features/incidents/IncidentsPage.tsx'
import { incidentsList } from '../../features/incidents/incidents-search.ts'
import type { PageModule } from '../page.tsx'

export const incidentsPage: PageModule = { Page: IncidentsPage, queriesFor: incidentsList.queriesFor }
