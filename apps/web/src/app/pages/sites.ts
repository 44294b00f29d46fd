import { SitesPage } from '../../features/sites/SitesPage.tsx'
import { sitesList } from '../../features/sites/sites-list.ts'
import type { PageModule } from '../page.tsx'
import { withSiteParts } from '../site-parts.tsx'

export const sitesPage: PageModule = { Page: withSiteParts(SitesPage), queriesFor: sitesList.queriesFor }
