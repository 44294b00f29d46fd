export { purchaseJobs } from './jobs.ts'
export { purchaseRoutes } from './routes.ts'
