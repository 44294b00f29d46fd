import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runStaticChecks, runVitest } from './lib/check-steps.ts'
import { findHeadlessShell } from './lib/chromium.ts'
import { add, type Counts, project, runParts, runSteps } from './lib/steps.ts'

const results = join(project, 'e2e/test-results/results.json')

function readResults(): Counts {
  const { stats } = JSON.parse(readFileSync(results, 'utf8')) as { stats: Record<string, number> }
  return {
    passed: stats['expected'] ?? 0,
    failed: (stats['unexpected'] ?? 0) + (stats['flaky'] ?? 0),
    skipped: stats['skipped'] ?? 0,
  }
}

async function runEndToEnd(): Promise<Counts> {
  const chromium = findHeadlessShell()
  if ('missing' in chromium) {
    console.log(`✗ end-to-end tests: ${chromium.missing}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  rmSync(results, { force: true })
  const step = {
    name: 'end-to-end tests',
    command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts'] as [string, ...string[]],
    env: { CHROMIUM_PATH: chromium.path, NO_COLOR: '1' },
    count: readResults,
  }
  return runSteps([step], 1)
}

const parts: Record<string, () => Promise<Counts>> = {
  quick: async () => add(add(await runStaticChecks(), await runVitest('quick')), await runEndToEnd()),
  long: () => runVitest('long'),
}

const counts = await runParts(process.argv.slice(2), parts, console.log)
process.exitCode = counts.failed > 0 ? 1 : 0
