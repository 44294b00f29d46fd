import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, project, runSteps, type Step } from './steps.ts'

const workspaces = ['packages/contract', 'packages/sandbox', 'apps/server', 'apps/web', 'e2e']
const cache = join(project, 'node_modules/.cache/check')
const vitestResults = join(cache, 'vitest-results.json')

const staticSteps: Step[] = [
  { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'dependencies', command: ['node', 'scripts/lock.mjs'] },
  { name: 'boundaries', command: ['depcruise', 'apps', 'packages', 'e2e', 'scripts'] },
  { name: 'rules fire', command: ['node', 'scripts/check-rules.ts'] },
  ...workspaces.map(typesOf),
  { name: 'dead code', command: ['knip'] },
  { name: 'generated descriptors', command: ['node', 'packages/contract/scripts/generate-descriptors.ts', '--check'] },
  { name: 'generated openapi.json', command: ['node', 'apps/server/src/commands/generate-openapi.ts', '--check'] },
  { name: 'generated database types', command: ['node', 'apps/server/src/commands/generate-db-types.ts', '--check'] },
  { name: 'bundle budget', command: ['node', 'scripts/budget.ts'] },
]

function typesOf(folder: string): Step {
  const memory = join(cache, `${folder.replace('/', '-')}.tsbuildinfo`)
  return { name: `types of ${folder}`, command: ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', memory] }
}

/** `*.long.test.ts`: kills processes, races, or tries hundreds of random orders. */
const withoutLong = ['--exclude', '**/*.long.test.ts']

const testsOf = (extent: Extent): Step => ({
  name: extent === 'all' ? 'unit and integration tests' : 'unit and integration tests, without the long ones',
  command: [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestResults}`,
    ...(extent === 'all' ? [] : withoutLong),
  ],
  env: { NO_COLOR: '1' },
  count: readVitestResults,
})

export type Extent = 'all' | 'quick'

/** Everything but the end-to-end tests; expects that the web app is built. */
export async function runChecks(extent: Extent): Promise<Counts> {
  rmSync(vitestResults, { force: true })
  const counts = await runSteps(staticSteps, 2)
  const tested = await runSteps([testsOf(extent)], 1)
  return {
    passed: counts.passed + tested.passed,
    failed: counts.failed + tested.failed,
    skipped: counts.skipped + tested.skipped,
  }
}

function readVitestResults(): Counts {
  const results = JSON.parse(readFileSync(vitestResults, 'utf8')) as Record<string, number>
  return {
    passed: results['numPassedTests'] ?? 0,
    failed: results['numFailedTests'] ?? 0,
    skipped: (results['numPendingTests'] ?? 0) + (results['numTodoTests'] ?? 0),
  }
}
