export { healthJobs } from './jobs.ts'
export { createHealthMonitor } from './monitor.ts'
export { healthRoutes } from './routes.ts'
export { getHealth, isReady } from './service.ts'
