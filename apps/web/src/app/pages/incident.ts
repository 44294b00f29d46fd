import { IncidentPage } from '../../features/incidents/IncidentPage.tsx'
import { incidentQueries } from '../../features/incidents/incidents-search.ts'
import type { PageModule } from '../page.tsx'

export const incidentPage: PageModule = { Page: IncidentPage, queriesFor: incidentQueries }
