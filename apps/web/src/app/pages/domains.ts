import { DomainsPage } from '../../features/domains/DomainsPage.tsx'
import { domainsList } from '../../features/domains/domain-search.ts'
import type { PageModule } from '../page.tsx'

export const domainsPage: PageModule = { Page: DomainsPage, queriesFor: domainsList.queriesFor }
