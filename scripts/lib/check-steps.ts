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
  // More checkers than one each work the same types out again: twice the processor's time where two steps share it.
  const sparing = ['--checkers', '1']
  return {
    name: `types of ${folder}`,
    command: ['tsc', '-p', folder, ...sparing, '--incremental', '--tsBuildInfoFile', memory],
  }
}

/** `quick` is all but `*.long.test.ts`, which kill processes, race, measure costs or try hundreds of random orders. */
const extents = {
  quick: { name: 'unit and integration tests', args: ['--exclude', '**/*.long.test.ts'] },
  long: { name: 'long tests', args: ['.long.test.ts'] },
}

export type Extent = keyof typeof extents

export const runStaticChecks = (): Promise<Counts> => runSteps(staticSteps, 2)

export function vitest(extent: Extent): Step {
  const { name, args } = extents[extent]
  rmSync(vitestResults, { force: true })
  return {
    name,
    command: ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${vitestResults}`],
    env: { NO_COLOR: '1' },
    count: readVitestResults,
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
