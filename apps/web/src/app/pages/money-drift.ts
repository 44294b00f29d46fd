import { DriftPage } from '../../features/money-drift/DriftPage.tsx'
import { driftList } from '../../features/money-drift/drift-search.ts'
import type { PageModule } from '../page.tsx'

export const moneyDriftPage: PageModule = { Page: DriftPage, queriesFor: driftList.queriesFor }
