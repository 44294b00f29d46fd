import type { AppContext } from '../src/context.ts'
import { jobs } from '../src/features/index.ts'
import { startJobs } from '../src/platform/job.ts'
import { contextAt, type Dying, orderOf, sayReady, startDying } from './dying.ts'
import { programOf } from './programs.ts'

type Order = {
  connectionString: string
  env: Record<string, string>
  /** The jobs that it does: those whose names begin so. */
  does: string
  /** Its Stripe never answers: a replay goes no further. */
  hasSilentStripe?: boolean
}

const program = await programOf(import.meta.url)

/** A console with some of its jobs in a process of its own. Resolves once it works on what is queued. */
export async function startJobConsole(order: Order): Promise<Dying> {
  const console_ = startDying(program, order)
  await console_.ready
  return console_
}

/** Whatever is asked of it, and of what that gives, never comes. */
const silent: unknown = new Proxy(() => {}, {
  get: (_, key) => (key === 'then' ? () => {} : silent),
  apply: () => silent,
})

if (program.isRunning) {
  const { connectionString, env, does, hasSilentStripe = false } = await orderOf<Order>()
  const { ctx } = await contextAt(connectionString, {
    ...{ env, jobs: 'real' },
    ...(hasSilentStripe && { stripe: silent as NonNullable<AppContext['stripe']> }),
  })
  await startJobs(
    ctx,
    jobs.filter(({ name }) => name.startsWith(does)),
  )
  sayReady()
}
