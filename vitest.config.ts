import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const database = {
  environment: 'node',
  pool: 'forks' as const,
  // No module holds state of its own, so test files share what is loaded: about half the time.
  isolate: false,
  globalSetup: './apps/server/test/global-setup.ts',
  // They start processes and servers, on machines that may be busy with something else.
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    // Most tests wait for a process, a database or a clock, so more of them than processors run at once.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // A change by another process is seen once it was told of, which takes longer on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      { test: { name: 'contract', include: ['packages/contract/**/*.test.ts'], environment: 'node' } },
      { test: { name: 'sandbox', include: ['packages/sandbox/**/*.test.ts'], ...database } },
      { test: { name: 'server', include: ['apps/server/**/*.test.ts', 'scripts/**/*.test.ts'], ...database } },
      {
        extends: './apps/web/vite.config.ts',
        test: {
          name: 'web',
          root: './apps/web',
          include: ['**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: 20_000,
        },
      },
    ],
  },
})
