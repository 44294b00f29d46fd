import { ServicesPage, servicesQuery } from '../../features/monitoring/ServicesPage.tsx'
import type { PageModule } from '../page.tsx'

export const monitoringServicesPage: PageModule = { Page: ServicesPage, queriesFor: () => [servicesQuery] }
