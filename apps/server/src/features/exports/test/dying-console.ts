import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createTestContext } from '../../../../test/context.ts'
import { startJobs } from '../../../platform/job.ts'
import { jobs } from '../../index.ts'

type Order = { connectionString: string; env: Record<string, string> }

const self = fileURLToPath(import.meta.url)

/** A console with its jobs in a process of its own. Resolves once it works on what is queued. */
export async function startConsole(order: Order): Promise<{ kill(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [self, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return {
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

if (process.argv[1] === self) {
  const { connectionString, env } = JSON.parse(process.argv[2] ?? '') as Order
  const { ctx } = await createTestContext({ database: { connectionString, drop: async () => {} }, env, jobs: 'real' })
  await startJobs(
    ctx,
    jobs.filter(({ name }) => name.startsWith('exports.')),
  )
  process.stdout.write('ready\n')
}
