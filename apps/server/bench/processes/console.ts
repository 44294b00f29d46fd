import pg from 'pg'
import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { asSystem, createContext } from '../../src/context.ts'
import { createDatabase } from '../../src/db/client.ts'
import { ensureAdminKey } from '../../src/features/auth/index.ts'
import { jobs as allJobs } from '../../src/features/index.ts'
import { startMirror } from '../../src/features/mirror/index.ts'
import { createStripeGateway } from '../../src/integrations/stripe/client.ts'
import { listenForChanges } from '../../src/platform/changes.ts'
import { startJobs } from '../../src/platform/job.ts'
import { openJobs } from '../../src/platform/jobs.ts'
import { createLogger } from '../../src/platform/logger.ts'
import { answerTheBenchmark } from './measured.ts'
import type { Captured } from './messages.ts'

// The console as it is, on a database that the benchmark made, with a provider when there is one.
const config = loadConfig()
const connectionString = config.databaseUrl ?? ''
const log = createLogger(config.logLevel)
const database = createDatabase(connectionString, { max: 10, log })
const stripe = process.env['BENCH_PROVIDER']
  ? createStripeGateway({
      secretKey: process.env['BENCH_PROVIDER_KEY'] ?? '',
      apiBase: process.env['BENCH_PROVIDER'],
      bulkPerSecond: 1000,
    })
  : null
const jobs = await openJobs({ pool: database.pool, connectionString, log })
const changes = await listenForChanges(connectionString, log)
const ctx = createContext({ config, log, stripe, jobs, changes, database })
const app = buildApp(ctx)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
await ensureAdminKey(asSystem(ctx, 'job', 'start'))
await startJobs(ctx, allJobs)

const captured: Captured[] = []
const plainQuery = pg.Client.prototype.query as (...args: unknown[]) => unknown

/** The statements that answering a path takes, word for word: the reference runs the same. */
async function statementOf(path: string, headers: Record<string, string>): Promise<Captured[]> {
  captured.length = 0
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const query = args[0] as Captured | string
    if (typeof query === 'object' && typeof query.text === 'string')
      captured.push({ text: query.text, values: [...(query.values ?? [])] })
    return plainQuery.apply(this, args)
  } as typeof pg.Client.prototype.query
  try {
    const response = await app.inject({ method: 'GET', url: path, headers })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`)
  } finally {
    pg.Client.prototype.query = plainQuery as typeof pg.Client.prototype.query
  }
  return [...captured]
}

answerTheBenchmark(
  {
    statement: ({ path, headers }) => statementOf(path, headers),
    import: () => startMirror(ctx, url),
  },
  url,
)
