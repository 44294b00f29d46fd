import { ImpersonationPage } from '../../features/impersonation/ImpersonationPage.tsx'
import { impersonationQueries } from '../../features/impersonation/impersonation-search.ts'
import type { PageModule } from '../page.tsx'

export const impersonationPage: PageModule = { Page: ImpersonationPage, queriesFor: impersonationQueries }
