export { dnsRecordJobs } from './jobs.ts'
export { dnsRecordRoutes } from './routes.ts'
