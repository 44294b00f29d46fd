export { lifecycleJobs } from './jobs.ts'
export { lifecycleRoutes } from './routes.ts'
export { lifecycleRun } from './run.ts'
