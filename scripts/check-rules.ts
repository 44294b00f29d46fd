import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { project } from './lib/steps.ts'

// A checker that reads nothing also reports success. So scripts/boundaries/ breaks every rule, and every rule must say so.
const folder = 'scripts/boundaries'
const fixture = join(project, folder)
const bin = (name: string) => join(project, 'node_modules/.bin', name)

function runInFixture(name: string, args: string[]): string {
  return spawnSync(bin(name), args, { cwd: fixture, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }).stdout
}

function findSilentBoundaries(): string[] {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
    forbidden: { name: string }[]
  }
  const output = runInFixture('depcruise', [
    '--config',
    join(project, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'apps',
    'packages',
  ])
  const { summary } = JSON.parse(output) as { summary: { violations: { rule: { name: string } }[] } }
  const fired = new Set(summary.violations.map((violation) => violation.rule.name))
  return forbidden.map((rule) => rule.name).filter((name) => !fired.has(name))
}

/** File of the fixture → what the linter must say about it. */
const lint: Record<string, string[]> = {
  'apps/server/src/features/billing/lint.ts': [
    'lint/performance/noBarrelFile',
    'lint/style/noDefaultExport',
    'lint/suspicious/noExplicitAny',
    'lint/suspicious/noConsole',
    'lint/style/noProcessEnv',
    'lint/nursery/noFloatingPromises',
    'V8 takes its flags when it starts',
  ],
  'apps/server/src/features/billing/index.ts': ["A feature's index.ts holds its routes and jobs"],
  'apps/server/src/features/billing/too-long.ts': ['lint/style/noExcessiveLinesPerFile'],
  'apps/server/src/features/billing/WrongName_here.ts': ['lint/style/useFilenamingConvention'],
  'apps/web/src/features/customers/lint.ts': [
    'Calls go through lib/api.ts',
    'Storage goes through lib/storage.ts',
    'Dates, numbers and money are shown through lib/format.ts',
    'not the global behind its back',
    'toLocaleDateString',
  ],
}

function findSilentLintRules(): string[] {
  const files = Object.keys(lint).map((file) => `${folder}/${file}`)
  const args = ['lint', '--config-path', `${folder}/biome-fixture.json`, '--max-diagnostics', '200', '--colors', 'off']
  const { stdout, stderr } = spawnSync(bin('biome'), [...args, ...files], { cwd: project, encoding: 'utf8' })
  // A diagnostic begins with the place that it is about.
  const diagnostics = `${stdout}${stderr}`.split(new RegExp(`^(?=${folder}/)`, 'm'))
  return Object.entries(lint).flatMap(([file, expected]) => {
    const ofFile = diagnostics.filter((text) => text.startsWith(`${folder}/${file}`))
    return expected.filter((words) => !ofFile.some((text) => text.includes(words))).map((words) => `${file}: ${words}`)
  })
}

const silent = [...findSilentBoundaries(), ...findSilentLintRules()]
for (const rule of silent) console.error(`This rule did not fire on ${folder}/: ${rule}`)
process.exitCode = silent.length > 0 ? 1 : 0
