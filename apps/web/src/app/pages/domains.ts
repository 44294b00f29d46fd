import { DomainsPage } from '../../features/domains/DomainsPage.tsx'
import { domainsQueries } from '../../features/domains/domain-search.ts'
import type { PageModule } from '../page.tsx'

export const domainsPage: PageModule = { Page: DomainsPage, queriesFor: domainsQueries }
