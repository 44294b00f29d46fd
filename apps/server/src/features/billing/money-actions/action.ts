import { createHash, randomUUID } from 'node:crypto'
import type { refundPayment, refundReasons } from '@agency/contract/billing'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { RequestContext } from '../../../context.ts'
import type { Claim } from '../../../platform/idempotency-keys.ts'
import type { ActionRow } from '../queries/money-actions.ts'
import type { ActionKind } from './kinds.ts'

export type RefundAnswer = ResponseOf<typeof refundPayment>

export type RefundPayload = { amount: number; reason?: (typeof refundReasons)[number] | undefined }

/** What a caller asked for. `id` is the Idempotency-Key; without one a repeat cannot be told from a new request. */
export type ActionRequest = {
  id: string
  claim: Claim | null
  kind: ActionKind
  target: string
  /** The same for two requests that ask for the very same, where one is refused beside the other. */
  hash: string | null
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export function actionRequest(
  kind: ActionKind,
  target: string,
  claim: Claim | null,
  same: readonly unknown[] | null = null,
): ActionRequest {
  const hash = same && sha256(JSON.stringify([kind, target, ...same]))
  return { id: claim?.key ?? randomUUID(), claim, kind, target, hash }
}

const fitsHeader = /^[\x21-\x7e]{1,200}$/

/** In place of what was asked for: of an action that was found at the provider after a restore nobody knows it. */
export const adoptedHash = 'adopted'

/** The key that the provider sees: at most 255 characters that a header may carry. Each of its keys is another one. */
export const providerKeyOf = ({ kind, id }: Pick<ActionRow, 'kind' | 'id'>, number = 1): string =>
  `${kind}${number > 1 ? `.${number}` : ''}-${fitsHeader.test(id) ? id : sha256(id)}`

export const refundPayloadOf = (action: ActionRow): RefundPayload => action.payload as RefundPayload

/** Longer than all tries of one call take: so long after it was last heard of, whoever began an action has ended. */
export const leaseMs = 60_000

/** Providers may forget a key after a day; until then a repeat under the same key cannot act twice. */
const resendMs = 23 * 60 * 60_000

/** So long after a call was last sent, the provider's own list shows whatever it has done. */
const provenMs = 60_000

/** A provider that fails at all of them is not asked again. */
export const mostKeys = 3

type Sent = Pick<ActionRow, 'sent_at' | 'created_at'>
type Clock = Pick<RequestContext, 'clock'>

const lastSent = ({ sent_at, created_at }: Sent): number => (sent_at ?? created_at).getTime()

/** Whether the request that began it may still be at work. Afterwards it sends nothing more: jobs find out. */
export const isHeld = ({ clock }: Clock, action: Sent): boolean => clock() < lastSent(action) + leaseMs

/** From then on the provider shows what the newest call of it has done, which may have run on long after it was given up. */
export const provenFrom = (action: Sent): Date => new Date(lastSent(action) + provenMs)

export const isProven = ({ clock }: Clock, action: Sent): boolean => clock() >= provenFrom(action).getTime()

/** Whether the provider still knows the first of its keys, so that the call may be repeated. */
export const mayBeResent = ({ clock }: Clock, { created_at }: Sent): boolean =>
  clock() - created_at.getTime() < resendMs
