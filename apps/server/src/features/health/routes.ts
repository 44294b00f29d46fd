import * as health from '@agency/contract/health'
import { routesOf } from '../../platform/http/routes.ts'
import { getHealth } from './service.ts'

export const healthRoutes = routesOf(health, {
  getHealth: ({ ctx }) => getHealth(ctx),
})
