export { impersonationJobs } from './jobs.ts'
export { impersonationRoutes } from './routes.ts'
export { createEndingWatch } from './watch.ts'
