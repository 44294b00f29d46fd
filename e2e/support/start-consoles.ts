import type { FullConfig } from '@playwright/test'
import { type ConsoleProcess, startConsoleProcess } from './console-process.ts'
import { quickStageMs, setPace } from './sandbox.ts'

async function startQuick(): Promise<ConsoleProcess> {
  const console = await startConsoleProcess()
  await setPace(console.sandbox, quickStageMs)
  return console
}

/** A console for each of the workers; where they are reaches the tests through the environment. */
export default async function globalSetup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const starts = await Promise.allSettled(Array.from({ length: workers }, startQuick))
  const consoles = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => {
    await Promise.all(consoles.map((one) => one.stop()))
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  // A run that is ended must not leave consoles behind, which would slow down the next one.
  process.once('SIGTERM', () => void stop().finally(() => process.exit(143)))
  process.env['E2E_CONSOLES'] = JSON.stringify(consoles satisfies ConsoleProcess[])
  return stop
}
