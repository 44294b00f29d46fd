import { CustomerViewPage } from '../../features/impersonation/CustomerViewPage.tsx'
import type { PageModule } from '../page.tsx'

export const customerViewPage: PageModule = { Page: CustomerViewPage }
