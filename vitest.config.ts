import { defineConfig } from 'vitest/config'

const databaseSetup = './apps/server/test/global-setup.ts'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', include: ['packages/contract/**/*.test.ts'], environment: 'node' } },
      {
        test: {
          name: 'sandbox',
          include: ['packages/sandbox/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          globalSetup: databaseSetup,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'scripts/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          globalSetup: databaseSetup,
        },
      },
      {
        extends: './apps/web/vite.config.ts',
        test: { name: 'web', root: './apps/web', include: ['**/*.test.{ts,tsx}'], environment: 'jsdom' },
      },
    ],
  },
})
