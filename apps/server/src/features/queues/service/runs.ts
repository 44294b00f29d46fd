import type { queues } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { QueueRun } from '@agency/contract/queues'
import type { AppContext } from '../../../context.ts'
import { findRuns, type RunRow } from '../queries/runs.ts'
import { findTouched } from '../touched.ts'

type Ctx = Pick<AppContext, 'pool'>

export async function withTouched(ctx: Ctx, runs: readonly RunRow[]): Promise<QueueRun[]> {
  const named = runs.map(({ queue_name, subject }) => ({ queue_name, data: { subject } }))
  const touched = await findTouched(ctx, named)
  return runs.map(({ subject: _, ...run }, index) => ({ ...run, touched: touched[index] ?? [] }))
}

export async function listRuns(
  ctx: Ctx,
  query: QueryOf<typeof queues.listQueueRuns>,
): Promise<{ runs: QueueRun[]; has_more: boolean }> {
  const { runs, has_more } = await findRuns(ctx.pool, query)
  return { runs: await withTouched(ctx, runs), has_more }
}
