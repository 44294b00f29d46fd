import { customers } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { findCountries } from './queries/countries.ts'
import { exportCustomers } from './service/export-customers.ts'
import { getCustomer } from './service/get-customer.ts'
import { listActivity } from './service/list-activity.ts'
import { listCustomers } from './service/list-customers.ts'

export const customerRoutes = routesOf(customers, {
  listCustomers: ({ ctx, query }) => listCustomers(ctx, query),
  getCustomer: async ({ ctx, params }) => ({ customer: await getCustomer(ctx, params.id) }),
  listCustomerCountries: async ({ ctx }) => ({ countries: await findCountries(ctx.pool) }),
  listCustomerActivity: ({ ctx, params, query }) => listActivity(ctx, params.id, query),
  exportCustomers: ({ ctx, query, reply }) => exportCustomers(ctx, query, reply),
})
