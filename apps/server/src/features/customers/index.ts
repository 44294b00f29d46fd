export { forgetCustomer } from './queries/forget.ts'
export { searchCustomers } from './queries/search-customers.ts'
export { customerRoutes } from './routes.ts'
export { listCustomers } from './service/list-customers.ts'
