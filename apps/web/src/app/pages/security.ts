import { SecurityPage } from '../../features/security/SecurityPage.tsx'
import { securityQueries } from '../../features/security/security-search.ts'
import type { PageModule } from '../page.tsx'

export const securityPage: PageModule = { Page: SecurityPage, queriesFor: securityQueries }
