import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { useFastTmpdir } from '../apps/server/test/fast-tmpdir.ts'
import { type Extent, runStaticChecks, vitest } from './lib/check-steps.ts'
import { findHeadlessShell } from './lib/chromium.ts'
import { add, type Counts, project, runParts, runSteps, type Step } from './lib/steps.ts'

const results = join(project, 'e2e/test-results/results.json')

function readResults(): Counts {
  const { stats } = JSON.parse(readFileSync(results, 'utf8')) as { stats: Record<string, number> }
  return {
    passed: stats['expected'] ?? 0,
    failed: (stats['unexpected'] ?? 0) + (stats['flaky'] ?? 0),
    skipped: stats['skipped'] ?? 0,
  }
}

/**
 * `@long` marks a test that follows real builds, waits for what an outage or a lost answer leaves to be settled, or looks
 * at what the quick run has looked at already once more in every width, theme or dialog. Most of them wait, so more run at once.
 */
const extents: Record<Extent, { name: string; args: string[] }> = {
  quick: { name: 'end-to-end tests', args: ['--grep-invert', '@long'] },
  long: { name: 'long end-to-end tests', args: ['--grep', '@long', '--workers', '3'] },
}

function endToEnd(extent: Extent, chromium: string): Step {
  const { name, args } = extents[extent]
  rmSync(results, { force: true })
  return {
    name,
    command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...args],
    env: { CHROMIUM_PATH: chromium, NO_COLOR: '1' },
    count: readResults,
  }
}

/** Both halves at once: what one leaves of the processors while it waits, the other takes. */
async function runTests(extent: Extent): Promise<Counts> {
  const chromium = findHeadlessShell()
  if (!('missing' in chromium)) return runSteps([endToEnd(extent, chromium.path), vitest(extent)], 2)
  console.log(`✗ ${extents[extent].name}: ${chromium.missing}`)
  return add({ passed: 0, failed: 1, skipped: 0 }, await runSteps([vitest(extent)], 1))
}

const parts: Record<string, () => Promise<Counts>> = {
  quick: async () => add(await runStaticChecks(), await runTests('quick')),
  long: () => runTests('long'),
}

const removeTemporary = useFastTmpdir()
process.once('exit', removeTemporary)
const counts = await runParts(process.argv.slice(2), parts, console.log)
process.exitCode = counts.failed > 0 ? 1 : 0
