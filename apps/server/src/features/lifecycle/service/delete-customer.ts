import type { deleteCustomer as contract } from '@agency/contract/customer-lifecycle'
import type { BodyOf } from '@agency/contract/endpoint'
import type { LifecycleRun } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import type { Situation } from '../plan.ts'
import { typedNameOf } from '../preview.ts'
import { startRun } from '../start.ts'
import { answerRun } from './get-lifecycle.ts'
import { needSuperAdmin } from './permissions.ts'

const checkTyped =
  (typed: string | undefined) =>
  ({ customer }: Situation): void => {
    const name = typedNameOf(customer)
    if (typed?.trim() !== name)
      throw new AppError('invalid_request', `Type ${name} to confirm. Nothing was changed.`, {
        parameter: 'typed_name',
      })
  }

export async function deleteCustomer(
  ctx: RequestContext,
  customerId: string,
  { at_stripe: atStripe, typed_name }: BodyOf<typeof contract>,
  claim: Claim | null,
): Promise<{ run: LifecycleRun }> {
  if (atStripe) await needSuperAdmin(ctx, { action: 'customer.delete', customerId }, 'delete a customer at Stripe')
  const check = atStripe ? { check: checkTyped(typed_name) } : {}
  return answerRun(ctx, await startRun(ctx, { customerId, options: { kind: 'delete', atStripe }, claim, ...check }))
}

export async function eraseCustomer(
  ctx: RequestContext,
  customerId: string,
  typedName: string,
  claim: Claim | null,
): Promise<{ run: LifecycleRun }> {
  await needSuperAdmin(ctx, { action: 'customer.erase', customerId }, 'erase a customer before its time')
  const start = { customerId, options: { kind: 'erase' }, claim, check: checkTyped(typedName) } as const
  return answerRun(ctx, await startRun(ctx, start))
}
