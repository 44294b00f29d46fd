export { domainAnalyticsJobs } from './jobs.ts'
export { domainAnalyticsRoutes } from './routes.ts'
