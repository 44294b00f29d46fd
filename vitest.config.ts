import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Most tests wait for a process, a database or a clock, so more of them than processors run at once.
const maxWorkers = Math.max(3, availableParallelism() - 1)

// For what hangs; nothing waits for them to pass. A property takes minutes, and four times as long where others use the same
// memory, so that no test has a limit of its own.
const halfAnHour = 30 * 60_000
const limits = { testTimeout: halfAnHour, hookTimeout: halfAnHour, expect: { poll: { timeout: 60_000 } } }

const database = {
  environment: 'node',
  pool: 'forks' as const,
  // No module holds state of its own, so test files share what is loaded: about half the time.
  isolate: false,
  globalSetup: './apps/server/test/global-setup.ts',
  ...limits,
}

// A project that extends another file's configuration takes nothing from below: without this, one file runs at a time.
const web = { root: './apps/web', maxWorkers, ...limits }

/** A fresh clone knows no times and begins with the largest files; a property takes minutes in a few lines. */
class PropertiesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isProperty = ({ moduleId }: TestSpecification) => moduleId.includes('.property.')
    const sorted = await super.sort(files)
    return [...sorted.filter(isProperty), ...sorted.filter((file) => !isProperty(file))]
  }
}

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: PropertiesFirst },
    ...limits,
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          ...limits,
        },
      },
      { test: { name: 'sandbox', include: ['packages/sandbox/**/*.test.ts'], ...database } },
      { test: { name: 'server', include: ['apps/server/**/*.test.ts', 'scripts/**/*.test.ts'], ...database } },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web-rules',
          ...web,
          include: ['**/*.test.ts'],
          exclude: ['**/*.dom.test.ts', 'node_modules'],
          environment: 'node',
          isolate: false,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          ...web,
          include: ['**/*.test.tsx', '**/*.dom.test.ts'],
          environment: 'jsdom',
          // A context of its own for each file, but not a process: that took a second of each.
          pool: 'vmThreads',
          setupFiles: ['browser-streams', 'no-component-styles'].map((name) =>
            join(import.meta.dirname, `apps/web/test/${name}.mjs`),
          ),
        },
      },
    ],
  },
})
