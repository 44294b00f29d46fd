export { apiKeyJobs } from './jobs.ts'
export { apiKeyRoutes } from './routes.ts'
