export { dnsRecordJobs } from './jobs.ts'
export { dnsRecordRoutes, zoneSettingRoutes } from './routes.ts'
