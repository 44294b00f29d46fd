import type { ConsoleProcess } from './console-process.ts'

/** The console of this worker. One that is started again after a failed test goes on with the console of the one before. */
export function ownConsole(): Omit<ConsoleProcess, 'stop'> {
  const consoles = JSON.parse(process.env['E2E_CONSOLES'] ?? '[]') as ConsoleProcess[]
  const own = consoles[Number(process.env['TEST_PARALLEL_INDEX'])]
  if (!own) throw new Error('No console was started for this worker')
  return own
}
