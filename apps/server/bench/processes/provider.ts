import { startSandbox } from '@agency/sandbox'
import { answerTheBenchmark } from './measured.ts'

// A provider with many customers and no limit of requests, so that the import is what is measured.
const sandbox = await startSandbox({
  databaseUrl: process.env['DATABASE_URL'] ?? '',
  secretKey: process.env['BENCH_PROVIDER_KEY'] ?? '',
  activity: false,
  rateLimit: 0,
  size: { customers: Number(process.env['BENCH_CUSTOMERS'] ?? 500) },
})
answerTheBenchmark({}, sandbox.stripe.baseUrl)
