import { search } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { searchAll } from './service.ts'

export const searchRoutes = routesOf(search, {
  searchAll: ({ ctx, query }) => searchAll(ctx, query.q),
})
