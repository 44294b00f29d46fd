import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createTestContext } from '../../../../test/context.ts'
import { programOf } from '../../../../test/programs.ts'
import type { AppContext } from '../../../context.ts'
import { startJobs } from '../../../platform/job.ts'
import { jobs } from '../../index.ts'

type Order = {
  connectionString: string
  env: Record<string, string>
  /** Its Stripe never answers: a replay goes no further. */
  hasSilentStripe?: boolean
}

const program = await programOf(import.meta.url)

/** A console with the jobs of backups in a process of its own. Resolves once it works on what is queued. */
export async function startConsole(order: Order): Promise<{ kill(): Promise<void> }> {
  const child: ChildProcess = program.start([JSON.stringify(order)], {
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

/** Whatever is asked of it, and of what that gives, never comes. */
const silent: unknown = new Proxy(() => {}, {
  get: (_, key) => (key === 'then' ? () => {} : silent),
  apply: () => silent,
})

if (program.isRunning) {
  const { connectionString, env, hasSilentStripe = false } = JSON.parse(process.argv[2] ?? '') as Order
  const { ctx } = await createTestContext({
    ...{ database: { connectionString, drop: async () => {} }, env, jobs: 'real' },
    ...(hasSilentStripe && { stripe: silent as NonNullable<AppContext['stripe']> }),
  })
  await startJobs(
    ctx,
    jobs.filter(({ name }) => name.startsWith('backups.')),
  )
  process.stdout.write('ready\n')
}
