export { invoiceHandlers } from './delivery/settle.ts'
export { invoiceRoutes } from './routes.ts'
