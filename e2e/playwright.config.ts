import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM_PATH']

const mostWaitMs = 180_000

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  globalSetup: './support/start-consoles.ts',
  outputDir: 'test-results',
  // Each worker has a console of its own, on which one test runs at a time; tests make or pick what is their own.
  workers: 2,
  // Tests are handed out one by one, so that no worker is left with a long file.
  fullyParallel: true,
  // Limits for what hangs, the same for all: no test has one of its own. Two browsers share what may be a busy machine.
  timeout: 1_800_000,
  expect: { timeout: mostWaitMs },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/results.json' }]],
  use: {
    actionTimeout: mostWaitMs,
    navigationTimeout: mostWaitMs,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    // A menu that still grows moves its items between the press and the release of a click.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording one costs as much as a third of the run; `--trace retain-on-failure` keeps it for whoever looks closer.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        '--disable-gpu',
      ],
    },
  },
})
