import type { suspendCustomer as contract } from '@agency/contract/customer-lifecycle'
import type { BodyOf } from '@agency/contract/endpoint'
import type { LifecycleRun } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import { situationOf } from '../situation.ts'
import { startRun } from '../start.ts'
import { answerRun } from './get-lifecycle.ts'
import { needPermission } from './permissions.ts'

export async function suspendCustomer(
  ctx: RequestContext,
  customerId: string,
  { reason, note, billing, notice }: BodyOf<typeof contract>,
  claim: Claim | null,
): Promise<{ run: LifecycleRun }> {
  if (billing !== 'keep') await needPermission(ctx, { action: 'customer.suspend', customerId }, 'billing.write')
  const options = { kind: 'suspend', reason, note, billing, notice } as const
  return answerRun(ctx, await startRun(ctx, { customerId, options, claim }))
}

export async function unsuspendCustomer(
  ctx: RequestContext,
  customerId: string,
  notice: boolean,
  claim: Claim | null,
): Promise<{ run: LifecycleRun }> {
  const { paused } = await situationOf(ctx, customerId)
  if (paused.size > 0) await needPermission(ctx, { action: 'customer.unsuspend', customerId }, 'billing.write')
  return answerRun(ctx, await startRun(ctx, { customerId, options: { kind: 'unsuspend', notice }, claim }))
}
