import type { Route } from '../http/route.ts'
import { accountRoutes } from './accounts.ts'
import { deploymentRoutes } from './deployments.ts'
import { graphqlRoutes } from './graphql.ts'
import { projectDomainRoutes } from './project-domains.ts'
import { projectRoutes } from './projects.ts'
import { purgeRoutes } from './purge.ts'
import { recordRoutes } from './records.ts'
import { tokenRoutes } from './tokens.ts'
import { zoneRoutes } from './zones.ts'

export const routes: Route[] = [
  ...tokenRoutes,
  ...accountRoutes,
  ...zoneRoutes,
  ...recordRoutes,
  ...purgeRoutes,
  ...projectRoutes,
  ...projectDomainRoutes,
  ...deploymentRoutes,
  ...graphqlRoutes,
]
