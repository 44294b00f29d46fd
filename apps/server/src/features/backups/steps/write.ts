import type { RequestContext } from '../../../context.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import type { News } from '../writer/order.ts'
import { type Target, type Written, writeFile } from './write-file.ts'

type Work = Pick<StepWork, 'signal' | 'progress'>

export const tellingRows =
  (progress: StepWork['progress']) =>
  ({ done, about }: News): void =>
    progress(done, about === null ? null : Math.max(done, about), 'rows')

/** Writes everything of one instant. */
export function write(ctx: RequestContext, target: Target, { signal, progress }: Work): Promise<Written> {
  const { connectionString } = ctx.pool.options
  if (connectionString === undefined) throw new Error('The pool has no connection string')
  return writeFile(ctx, target, { work: 'rows', connectionString }, { signal, onNews: tellingRows(progress) })
}
