export { customerRoutes } from './routes.ts'
export { listCustomers } from './service/list-customers.ts'
