export { startMirror } from './check.ts'
export { mirrorJobs } from './jobs.ts'
export { watchStripe } from './problem.ts'
export { verifyTotals } from './queries/totals.ts'
export { type Fetch, nextFetchSeq } from './queries/upsert.ts'
export { mirrorRoutes } from './routes.ts'

export { stripeWebhook } from './webhook.ts'
export { recordObject, writeObjects } from './writer.ts'
