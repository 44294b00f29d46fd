import { PurchasesPage } from '../../features/purchases/PurchasesPage.tsx'
import { purchasesList } from '../../features/purchases/purchases-list.ts'
import type { PageModule } from '../page.tsx'

export const purchasesPage: PageModule = { Page: PurchasesPage, queriesFor: purchasesList.queriesFor }
