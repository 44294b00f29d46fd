import { PurchaseResetPage } from '../../features/purchase-reset/PurchaseResetPage.tsx'
import { purchaseResetQueries } from '../../features/purchase-reset/purchase-reset-list.ts'
import type { PageModule } from '../page.tsx'

export const purchaseResetPage: PageModule = { Page: PurchaseResetPage, queriesFor: purchaseResetQueries }
