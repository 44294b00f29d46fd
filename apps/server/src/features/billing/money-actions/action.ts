import { createHash, randomUUID } from 'node:crypto'
import type { refundPayment, refundReasons } from '@agency/contract/billing'
import type { ResponseOf } from '@agency/contract/endpoint'
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

/** The key that the provider sees: at most 255 characters that a header may carry. Each of its keys is another one. */
export const providerKeyOf = ({ kind, id }: Pick<ActionRow, 'kind' | 'id'>, number = 1): string =>
  `${kind}${number > 1 ? `.${number}` : ''}-${fitsHeader.test(id) ? id : sha256(id)}`

export const refundPayloadOf = (action: ActionRow): RefundPayload => action.payload as RefundPayload

/** Nobody else touches an action for so long after its call was begun; longer than all tries of one call take. */
export const leaseMs = 60_000

/** Providers may forget a key after a day; until then a repeat under the same key cannot act twice. */
export const resendMs = 23 * 60 * 60_000

/** So long after a call was last sent, the provider's own list shows whatever it has done. */
export const provenMs = 60_000

/** A provider that fails at all of them is not asked again. */
export const mostKeys = 3

const firstPauseMs = 5000
const longestPauseMs = 10 * 60_000

export const pauseAfter = (attempts: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(Math.max(attempts, 1) - 1, 20), longestPauseMs)
