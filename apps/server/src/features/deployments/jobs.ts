import { z } from 'zod'
import type { AppContext } from '../../context.ts'
import { type Job, job } from '../../platform/job.ts'
import { takeHistories } from './history.ts'
import { deleteOldLines } from './queries/log.ts'

const logsKeptMs = 90 * 86_400_000
const linesAtOnce = 20_000

async function forgetOldLogs({ pool, clock }: AppContext, signal: AbortSignal): Promise<void> {
  const before = new Date(clock() - logsKeptMs)
  while (!signal.aborted && (await deleteOldLines(pool, before, linesAtOnce)) === linesAtOnce);
}

export const deploymentJobs: readonly Job[] = [
  job({
    name: 'deployments.take-in',
    input: z.object({}),
    schedule: '* * * * *',
    policy: 'alone',
    retries: 0,
    expireS: 300,
    run: (ctx) => takeHistories(ctx),
  }),
  job({
    name: 'deployments.forget-logs',
    input: z.object({}),
    schedule: '10 4 * * *',
    policy: 'alone',
    expireS: 600,
    run: (ctx, _input, { signal }) => forgetOldLogs(ctx, signal),
  }),
]
