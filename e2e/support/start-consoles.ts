import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FullConfig } from '@playwright/test'
import { fallOf } from './console-log.ts'
import { type ConsoleProcess, startConsoleProcess } from './console-process.ts'
import { quickStageMs, setPace } from './sandbox.ts'

const importedWithinMs = 120_000

/** Lists are incomplete until then, and say so in place of their own words. */
async function untilImported({ url, adminKey }: ConsoleProcess): Promise<void> {
  const until = performance.now() + importedWithinMs
  for (;;) {
    const answer = await fetch(`${url}/api/stripe/customers?limit=1`, { headers: { 'x-admin-key': adminKey } })
    const { as_of } = (await answer.json()) as { as_of?: string | null }
    if (as_of) return
    if (performance.now() > until) throw new Error('the first import was not complete in time')
    await sleep(250)
  }
}

async function startQuick(): Promise<ConsoleProcess> {
  const console = await startConsoleProcess()
  try {
    await setPace(console.sandbox, quickStageMs)
    await untilImported(console)
    return console
  } catch (error) {
    const log = await readFile(console.log, 'utf8')
    await console.stop()
    throw new Error(`a console that was started did not get ready for tests:\n${log.slice(-8000)}`, { cause: error })
  }
}

/** A console for each of the workers; where they are reaches the tests through the environment. */
export default async function globalSetup({ workers }: FullConfig): Promise<() => Promise<void>> {
  const starts = await Promise.allSettled(Array.from({ length: workers }, startQuick))
  const consoles = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => {
    await Promise.all(consoles.map((one) => one.stop()))
  }
  /** One that fell and was started again may have let every test pass. */
  const end = async () => {
    const falls = await Promise.all(consoles.map((one) => fallOf(one.log)))
    await stop()
    const fall = falls.find((one) => one !== undefined)
    if (fall !== undefined) throw new Error(`a console fell during the tests:\n${fall}`)
  }
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  // A run that is ended must not leave consoles behind, which would slow down the next one.
  process.once('SIGTERM', () => void stop().finally(() => process.exit(143)))
  process.env['E2E_CONSOLES'] = JSON.stringify(consoles satisfies ConsoleProcess[])
  return end
}
