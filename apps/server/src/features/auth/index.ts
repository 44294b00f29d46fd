export { ensureAdminKey, makeAdminKey } from './admin-key.ts'
export { createAuthenticate } from './authenticate.ts'
export { authJobs } from './jobs.ts'
export { authRoutes } from './routes.ts'
