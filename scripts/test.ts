import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { useFastTmpdir } from '../apps/server/test/fast-tmpdir.ts'
import { type Extent, runStaticChecks, runVitest } from './lib/check-steps.ts'
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

/**
 * `@long` marks a test that follows real builds, waits for what an outage or a lost answer leaves to be settled, or looks
 * at what the quick run has looked at already once more in every width, theme or dialog. Most of them wait, so more run at once.
 */
const extents: Record<Extent, { name: string; args: string[] }> = {
  quick: { name: 'end-to-end tests', args: ['--grep-invert', '@long'] },
  long: { name: 'long end-to-end tests', args: ['--grep', '@long', '--workers', '3'] },
}

async function runEndToEnd(extent: Extent): Promise<Counts> {
  const { name, args } = extents[extent]
  const chromium = findHeadlessShell()
  if ('missing' in chromium) {
    console.log(`✗ ${name}: ${chromium.missing}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  rmSync(results, { force: true })
  const step = {
    name,
    command: ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...args] as [string, ...string[]],
    env: { CHROMIUM_PATH: chromium.path, NO_COLOR: '1' },
    count: readResults,
  }
  return runSteps([step], 1)
}

const parts: Record<string, () => Promise<Counts>> = {
  quick: async () => add(add(await runStaticChecks(), await runVitest('quick')), await runEndToEnd('quick')),
  long: async () => add(await runVitest('long'), await runEndToEnd('long')),
}

const removeTemporary = useFastTmpdir()
process.once('exit', removeTemporary)
const counts = await runParts(process.argv.slice(2), parts, console.log)
process.exitCode = counts.failed > 0 ? 1 : 0
