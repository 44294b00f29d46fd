import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Bench, keepSession, signIn, startConsole } from './bench-context.ts'
import { openBenchDatabase } from './database.ts'
import { describeMachine } from './machine.ts'
import { printTable, type Row } from './report.ts'
import { accessCheck } from './rows/access.ts'
import { auditPages } from './rows/audit.ts'
import { backupRows } from './rows/backup.ts'
import { browserRows } from './rows/browser.ts'
import { bundleRows } from './rows/bundle.ts'
import { checkRows } from './rows/checks.ts'
import { deploymentPages } from './rows/deployments.ts'
import { domainLists } from './rows/domains.ts'
import { underUsers, underWrongSignIns } from './rows/event-loop.ts'
import { exportRows } from './rows/exports.ts'
import { figures } from './rows/figures.ts'
import { flagRows } from './rows/flags.ts'
import { wholeImport } from './rows/import.ts'
import { uncachedLists, unchangedLists } from './rows/lists.ts'
import { logViewer } from './rows/log-viewer.ts'
import { memoryAfterLoad } from './rows/memory.ts'
import { monitoringRows } from './rows/monitoring.ts'
import { lastPage } from './rows/pages.ts'
import { reportRows } from './rows/reports.ts'
import { customerSearch, paletteSearch } from './rows/search.ts'
import { siteLists } from './rows/sites.ts'
import { sqlRows } from './rows/sql.ts'
import { startAndMemory } from './rows/start.ts'
import { timelinePages } from './rows/timeline.ts'
import { writerRow } from './rows/writer.ts'

// `npm run bench [-- --quick] [-- --only=search,writer]`: every figure against its reference in this run, one table.
const measurements: Record<string, (bench: Bench) => Promise<Row[]>> = {
  uncached: uncachedLists,
  unchanged: unchangedLists,
  pages: lastPage,
  search: customerSearch,
  palette: paletteSearch,
  figures,
  reports: reportRows,
  writer: writerRow,
  import: wholeImport,
  exports: exportRows,
  backup: backupRows,
  users: underUsers,
  'sign-ins': underWrongSignIns,
  start: startAndMemory,
  memory: memoryAfterLoad,
  access: accessCheck,
  audit: auditPages,
  timeline: timelinePages,
  sites: siteLists,
  deployments: deploymentPages,
  domains: domainLists,
  checks: checkRows,
  monitoring: monitoringRows,
  flags: flagRows,
  sql: sqlRows,
  bundle: bundleRows,
  browser: browserRows,
  log: logViewer,
}

const isQuick = process.argv.includes('--quick')
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const scale = isQuick ? { customers: 5000, payments: 50_000 } : { customers: 100_000, payments: 1_000_000 }

const machine = describeMachine()

// What the measured consoles keep is none of a console that works on this machine.
const dataDir = await mkdtemp(join(tmpdir(), 'agency-bench-data-'))
process.env['DATA_DIR'] = dataDir
const database = await openBenchDatabase(scale)
const console_ = await startConsole(database.connectionString)
const bench: Bench = {
  isQuick,
  scale,
  connectionString: database.connectionString,
  pool: new pg.Pool({ connectionString: database.connectionString, max: 2 }),
  console: console_,
  headers: await signIn(console_.url),
  emptyDatabase: database.emptyDatabase,
  rounds: isQuick ? 1 : 15,
  seconds: 2,
}

// At the end the database may be gone before the last idle connection has heard of it.
bench.pool.on('error', () => {})

const rows: Row[] = []
try {
  for (const [name, measure] of Object.entries(measurements)) {
    if (only && !only.includes(name)) continue
    process.stderr.write(`measuring ${name} …\n`)
    await keepSession(bench)
    const measured = await measure(bench)
    for (const row of measured) process.stderr.write(`  ${row.what}: ${row.ours}\n`)
    rows.push(...measured)
  }
} finally {
  await console_.stop()
  await bench.pool.end()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
}
rows.push(machine())
process.stdout.write(`${printTable(rows)}\n`)
if (rows.some(({ isReached }) => isReached === false)) process.exitCode = 1
