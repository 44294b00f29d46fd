import type { LifecyclePreview } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { findOpenRun } from '../../../platform/runs/queries.ts'
import { blockOf } from '../blocks.ts'
import { runName } from '../job-settings.ts'
import type { Options } from '../plan.ts'
import { previewOf } from '../preview.ts'
import { situationOf } from '../situation.ts'

export async function preview(
  ctx: RequestContext,
  customerId: string,
  options: Options,
): Promise<{ preview: LifecyclePreview }> {
  const situation = await situationOf(ctx, customerId)
  const blocked = blockOf(options.kind, situation, await findOpenRun(ctx.db, runName, customerId))
  const company = ctx.config.settings.companyName
  return { preview: previewOf(options, situation, { company, nowMs: ctx.clock(), blocked }) }
}
