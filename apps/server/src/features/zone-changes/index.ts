export { dnsRecordJobs } from './jobs.ts'
export { dnsRecordRoutes, zoneRoutes, zoneSettingRoutes } from './routes.ts'
