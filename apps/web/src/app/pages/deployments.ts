import { DeploymentsPage } from '../../features/deployments/DeploymentsPage.tsx'
import { deploymentsList } from '../../features/deployments/deployments-list.ts'
import type { PageModule } from '../page.tsx'

export const deploymentsPage: PageModule = { Page: DeploymentsPage, queriesFor: deploymentsList.queriesFor }
