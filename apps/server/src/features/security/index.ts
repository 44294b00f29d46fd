export { securityJobs } from './jobs.ts'
export { createOwnAddress } from './own-address.ts'
export { securityRoutes } from './routes.ts'
