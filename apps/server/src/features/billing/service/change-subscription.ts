import type {
  cancelSubscription as cancelContract,
  pauseSubscription as pauseContract,
} from '@agency/contract/billing-changes'
import type { BodyOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import type { ChangeAnswer } from '../money-actions/change.ts'
import { changeSubscription } from './send-change.ts'

/** At once, or at the end of the period. What is so already stays as it is, and nothing is sent. */
export function cancelSubscription(
  ctx: RequestContext,
  id: string,
  body: BodyOf<typeof cancelContract>,
  claim: Claim | null,
): Promise<ChangeAnswer> {
  const at = body?.at ?? 'now'
  return changeSubscription(ctx, { id, kind: 'cancel', asked: { at }, claim })
}

export const undoCancellation = (ctx: RequestContext, id: string, claim: Claim | null): Promise<ChangeAnswer> =>
  changeSubscription(ctx, { id, kind: 'undo_cancel', asked: {}, claim })

/** A subscription that is paused already gets the new terms; with the same ones nothing is sent. */
export function pauseSubscription(
  ctx: RequestContext,
  id: string,
  { behavior, resumes_at }: BodyOf<typeof pauseContract>,
  claim: Claim | null,
): Promise<ChangeAnswer> {
  const asked = { behavior, resumes_at: secondsOf(resumes_at) }
  return changeSubscription(ctx, { id, kind: 'pause', asked, claim })
}

export const resumeSubscription = (ctx: RequestContext, id: string, claim: Claim | null): Promise<ChangeAnswer> =>
  changeSubscription(ctx, { id, kind: 'resume', asked: {}, claim })

/** The provider counts in whole seconds. */
export const secondsOf = (at: string | null | undefined): number | null =>
  at == null ? null : Math.floor(Date.parse(at) / 1000)
