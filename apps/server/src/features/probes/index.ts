export { probeJobs } from './jobs.ts'
export { probeSoon } from './probe-soon.ts'
export { probeRoutes } from './routes.ts'
