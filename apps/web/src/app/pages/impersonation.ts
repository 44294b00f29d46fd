import { ImpersonationPage } from '../../features/impersonation/ImpersonationPage.tsx'
import { impersonationList } from '../../features/impersonation/impersonation-search.ts'
import type { PageModule } from '../page.tsx'

export const impersonationPage: PageModule = { Page: ImpersonationPage, queriesFor: impersonationList.queriesFor }
