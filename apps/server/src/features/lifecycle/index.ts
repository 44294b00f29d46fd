export { lifecycleJobs } from './jobs.ts'
export { lifecycleRoutes } from './routes.ts'
