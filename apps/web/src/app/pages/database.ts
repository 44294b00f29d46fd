import { SqlConsolePage } from '../../features/sql-console/SqlConsolePage.tsx'
import { queriesFor } from '../../features/sql-console/sql-search.ts'
import type { PageModule } from '../page.tsx'

export const databasePage: PageModule = { Page: SqlConsolePage, queriesFor }
