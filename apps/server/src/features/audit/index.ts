export { createHeadKeeper } from './head-keeper.ts'
export { auditJobs } from './jobs.ts'
export { auditRoutes } from './routes.ts'
export { findEntries } from './service/entries.ts'
