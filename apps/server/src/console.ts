import { buildApp } from './app.ts'
import { loadConfig } from './config.ts'
import { type AppContext, asSystem, inTransaction } from './context.ts'
import { createHeadKeeper } from './features/audit/index.ts'
import { ensureAdminKey, isAdminKeyCurrent } from './features/auth/index.ts'
import { createCacheKeeper } from './features/caches/index.ts'
import { createDeploymentRunner } from './features/deployments/index.ts'
import { createHealthMonitor, createStartState } from './features/health/index.ts'
import { createEndingWatch } from './features/impersonation/index.ts'
import { createSiteWatch, jobs } from './features/index.ts'
import { startMirror } from './features/mirror/index.ts'
import { createDriftWatch } from './features/money-drift/index.ts'
import { notifyFall } from './features/notifications/index.ts'
import { createPauseKeeper } from './features/queues/index.ts'
import { createOwnAddress, findUntrustedProxy, plainTransport } from './features/security/index.ts'
import { createSettingsKeeper } from './features/settings/index.ts'
import { createOpenWrites } from './features/sql-console/index.ts'
import { createStatusKeeper } from './features/status-pages/index.ts'
import { databaseFailureOf } from './platform/database-failure.ts'
import { giveBackMemory } from './platform/give-back-memory.ts'
import { startJobs } from './platform/job.ts'
import { createGatheringLogger, type Logger } from './platform/logger.ts'
import {
  createStops,
  endOnFault,
  endWithKeeper,
  faultStatus,
  startFailure,
  stopOnSignals,
} from './platform/shutdown.ts'
import { openContext } from './start.ts'

let log: Logger | undefined
const stops = createStops(() => log)

/** Starts all parts; answers the line that says so. */
async function start(): Promise<string> {
  const config = loadConfig()
  const logger = createGatheringLogger(config.logLevel)
  log = logger.log
  // Added first, it is stopped last; waited for, so that slow parts before it leave it its time.
  stops.add('log', logger.flush, Number.POSITIVE_INFINITY)
  stopOnSignals(stops.stopAll)
  endOnFault(() => log, stops.stopAll)
  endWithKeeper(config.keeper.pid, stops.stopAll)
  const { ctx, connected } = await openContext(config, log, stops, { playsSandbox: true })
  // What takes its time elsewhere goes on beside what this thread does.
  const keyIsCurrent = isAdminKeyCurrent(ctx)
  keyIsCurrent.catch(() => undefined)
  await stops.start('audit heads', ctx.instance(createHeadKeeper))
  await stops.start('impersonation endings', ctx.instance(createEndingWatch))
  const state = ctx.instance(createStartState)
  state.isStarting = true
  stops.add('changes by SQL', ctx.instance(createOpenWrites).stop)
  const app = buildApp(ctx)
  await connected
  const address = await app.listen({ port: config.port, host: config.host })
  stops.add('server', () => app.close())
  ctx.instance(createOwnAddress).url = address
  await stops.start('deployments', ctx.instance(createDeploymentRunner))
  ctx.instance(createSettingsKeeper).whenReconnected(() => startMirror(ctx, address))
  await startMirror(ctx, address)
  await stops.start('health', ctx.instance(createHealthMonitor))
  await stops.start('status pages', ctx.instance(createStatusKeeper))
  stops.add('memory', giveBackMemory())
  const caches = ctx.instance(createCacheKeeper)
  caches.start('console')
  stops.add('caches', caches.stop)
  // As late as can be: a key that is made and not told is lost.
  const adminKey = await ensureAdminKey(asSystem(ctx, 'job', 'start'), keyIsCurrent)
  await stops.start('paused queues', ctx.instance(createPauseKeeper))
  // The work that has waited would keep the processor from the rest of the start.
  await startJobs(ctx, jobs)
  await stops.start('site checks', ctx.instance(createSiteWatch))
  await stops.start('money drift', ctx.instance(createDriftWatch))
  state.isStarting = false
  if (config.keeper.falls > 0) await tellOfFall(ctx)
  await warnOfAccess(ctx)
  const told = adminKey === undefined ? '' : `. Admin key, shown only this once: ${adminKey}`
  return `Agency Console is ready at ${address} (${ctx.config.mode})${told}`
}

/** What makes the way to this console unsafe, for whoever starts it. */
async function warnOfAccess(ctx: AppContext): Promise<void> {
  for (const found of [plainTransport(ctx.config), await findUntrustedProxy(ctx)]) {
    if (found) ctx.log.warn({ advice: found.advice }, found.finding)
  }
}

/** Whoever looks into the console has seen nothing of it. */
function tellOfFall(ctx: AppContext): Promise<boolean> {
  ctx.log.warn({ falls: ctx.config.keeper.falls }, 'the console fell and was started again')
  return inTransaction(asSystem(ctx, 'job', 'start'), (tx) => notifyFall(tx))
}

/** One process that is the whole console: API, web app and jobs. */
export async function runConsole(): Promise<void> {
  try {
    const ready = await start()
    if (stops.isStopping()) return
    // Standard output belongs to both: what was logged before comes before.
    log?.flush(() => process.stdout.write(`${ready}\n`))
  } catch (error) {
    // What a start says whose parts are being stopped is no reason; whoever asked for it ends the process.
    if (stops.isStopping()) return
    process.stderr.write(`Agency Console could not start: ${startFailure(error)}\n`)
    await stops.stopAll()
    // A database that was there and went away is no reason to stay down: the keeper tries again.
    process.exit(databaseFailureOf(error) ? faultStatus : 1)
  }
}
