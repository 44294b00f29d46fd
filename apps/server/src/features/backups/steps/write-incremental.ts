import type { RequestContext } from '../../../context.ts'
import type { StepWork } from '../../../platform/runs/durable-run.ts'
import { findChain } from '../queries/chain.ts'
import { type Target, type Written, writeFile } from './write-file.ts'

/** Writes what changed since the last incremental backup, or a copy of the cluster for later ones to build on. */
export async function writeIncremental(
  ctx: RequestContext,
  target: Target,
  { signal, progress }: StepWork,
): Promise<Written> {
  const content = { work: 'cluster', dataDir: ctx.config.dataDir, chain: await findChain(ctx) } as const
  return writeFile(ctx, target, content, { signal, onNews: ({ done }) => progress(done, null, 'bytes') })
}
