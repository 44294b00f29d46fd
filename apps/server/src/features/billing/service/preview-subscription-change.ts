import type { previewSubscriptionChange as contract } from '@agency/contract/billing-changes'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import { findSubscriptionTarget } from '../queries/money-targets.ts'
import { previewChange } from '../reach/foresee-change.ts'
import { secondsOf } from './change-subscription.ts'

export async function previewSubscriptionChange(
  ctx: RequestContext,
  id: string,
  { action, behavior, resumes_at }: QueryOf<typeof contract>,
): Promise<ResponseOf<typeof contract>> {
  const target = await findSubscriptionTarget(ctx.db, id)
  if (action !== 'pause') return { reach: (await previewChange(ctx, target, id, action, {})).reach }
  const asked = { behavior, resumes_at: secondsOf(resumes_at) }
  return { reach: (await previewChange(ctx, target, id, 'pause', asked)).reach }
}
