import { SiteHealthPage } from '../../features/monitoring/SiteHealthPage.tsx'
import { siteHealthList } from '../../features/monitoring/site-health-list.ts'
import type { PageModule } from '../page.tsx'

export const monitoringSitesPage: PageModule = { Page: SiteHealthPage, queriesFor: siteHealthList.queriesFor }
