export { purchaseResetRoutes } from './routes.ts'
