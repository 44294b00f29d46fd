import { buildApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { asSystem, createContext } from '../../src/context.ts'
import { AskedClient } from '../../src/db/asked-client.ts'
import { createDatabase } from '../../src/db/client.ts'
import { jobLimits, requestLimits } from '../../src/db/limits.ts'
import { createAuthenticate, ensureAdminKey } from '../../src/features/auth/index.ts'
import { jobs as allJobs, createSiteWatch } from '../../src/features/index.ts'
import { startMirror } from '../../src/features/mirror/index.ts'
import { createCloudflareGateway } from '../../src/integrations/cloudflare/client.ts'
import { createStripeGateway } from '../../src/integrations/stripe/client.ts'
import { listenForChanges } from '../../src/platform/changes.ts'
import type { Request } from '../../src/platform/http/routes.ts'
import { startJobs } from '../../src/platform/job.ts'
import { openJobs } from '../../src/platform/jobs.ts'
import { openListener } from '../../src/platform/listener.ts'
import { createLogger } from '../../src/platform/logger.ts'
import { median } from '../report.ts'
import { answerTheBenchmark } from './measured.ts'
import type { Captured } from './messages.ts'

// The console as it is, on a database that the benchmark made, with a provider when there is one.
const config = loadConfig()
const connectionString = config.databaseUrl ?? ''
const log = createLogger(config.logLevel)
// As many connections for each kind of work as the console itself has.
const database = createDatabase(connectionString, { max: 10, log, limits: requestLimits })
const jobDatabase = createDatabase(connectionString, { max: 6, min: 1, log, limits: jobLimits })
const queues = createDatabase(connectionString, { max: 2, min: 2, log, limits: jobLimits })
const stripe = process.env['BENCH_PROVIDER']
  ? createStripeGateway({
      secretKey: process.env['BENCH_PROVIDER_KEY'] ?? '',
      apiBase: process.env['BENCH_PROVIDER'],
      bulkPerSecond: 1000,
    })
  : null
const cloudflare = process.env['BENCH_CLOUDFLARE']
  ? createCloudflareGateway({
      apiToken: process.env['BENCH_CLOUDFLARE_TOKEN'] ?? '',
      apiBase: process.env['BENCH_CLOUDFLARE'],
      allowance: { take: async () => ({ isAllowed: true }), block: async () => {} },
    }).gateway
  : null
const listener = await openListener(connectionString, log)
const jobs = await openJobs({ pool: queues.pool, listener, log })
const changes = await listenForChanges(listener)
const ctx = createContext({ live: { config, stripe, cloudflare }, log, jobs, changes, database, jobDatabase })
const app = buildApp(ctx)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
await ensureAdminKey(asSystem(ctx, 'job', 'start'))
await startJobs(ctx, allJobs)
// Sites that the benchmark hosts are looked at; others are nowhere.
if (process.env['BENCH_HOST_PORT']) {
  const names = { has: (name: string) => name.endsWith('.example') } as ReadonlySet<string>
  const port = Number(process.env['BENCH_HOST_PORT'])
  ctx.replace({ demoHosts: { hosts: () => names, address: '127.0.0.1', httpPort: port, httpsPort: 1, ca: '' } })
  ctx.instance(createSiteWatch).start()
}

const captured: Captured[] = []
const plainQuery = AskedClient.prototype.query as (...args: unknown[]) => unknown

/** The statements that answering a path takes, word for word: the reference runs the same. */
async function statementOf(path: string, headers: Record<string, string>): Promise<Captured[]> {
  captured.length = 0
  AskedClient.prototype.query = function (this: AskedClient, ...args: unknown[]) {
    const [query, values] = args as [Captured | string, unknown[]?]
    if (typeof query === 'string') captured.push({ text: query, values: [...(values ?? [])] })
    else if (typeof query.text === 'string') captured.push({ text: query.text, values: [...(query.values ?? [])] })
    return plainQuery.apply(this, args)
  } as typeof AskedClient.prototype.query
  try {
    const response = await app.inject({ method: 'GET', url: path, headers })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body}`)
  } finally {
    AskedClient.prototype.query = plainQuery as typeof AskedClient.prototype.query
  }
  return [...captured]
}

const authenticate = createAuthenticate(ctx)

/** Milliseconds that finding out who calls and what they may do takes: known already, and looked up in the database. */
async function timeAuthentication(headers: Record<string, string>, times: number) {
  const request = { headers, ip: '127.0.0.1', id: 'bench', method: 'GET', routeOptions: {} } as unknown as Request
  const check = async () => (await authenticate(request)).permissions.has('billing.read')
  if (!(await check())) throw new Error('the key of the benchmark may not read')
  const knownStart = performance.now()
  for (let time = 0; time < times; time++) {
    const actor = authenticate(request)
    if (actor instanceof Promise || !actor.permissions.has('billing.read')) throw new Error('the key was not known')
  }
  const known = (performance.now() - knownStart) / times
  const lookedUp: number[] = []
  for (let time = 0; time < Math.min(times, 300); time++) {
    ctx.changes.tell('sessions')
    const start = performance.now()
    await check()
    lookedUp.push(performance.now() - start)
  }
  return { known, lookedUp: median(lookedUp) }
}

answerTheBenchmark(
  {
    statement: ({ path, headers }) => statementOf(path, headers),
    import: () => startMirror(ctx, url),
    'tell-changed': ({ topics }) => {
      for (const topic of topics) changes.tell(topic)
    },
    authenticate: ({ headers, times }) => timeAuthentication(headers, times),
  },
  url,
)
