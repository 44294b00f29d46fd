import { undoDays } from '@agency/contract/purchase-reset'
import { moneyText } from '../../platform/money-text.ts'
import { statusOf } from '../purchases/index.ts'
import type { ResetRecord } from './queries/resets.ts'
import type { SiteRecord } from './queries/sites.ts'

const undoMs = undoDays * 24 * 60 * 60_000

const dayOf = (instant: string): string => instant.slice(0, 10)

/** Why the status of a purchase cannot be reset now, or null. */
export function refusalOf(record: SiteRecord): string | null {
  if (record.reset_by !== null) return alreadyReset(record)
  const status = statusOf(record)
  if (status === 'pending') return 'The checkout is not paid yet.'
  if (status === 'failed') return 'The checkout failed or was abandoned.'
  if (record.has_open_refund) return 'A refund is in progress. Reset afterwards.'
  return record.is_test ? null : liveRefusalOf(record)
}

export function alreadyReset({ reset_by, reset_at }: Pick<SiteRecord, 'reset_by' | 'reset_at'>): string {
  if (reset_by === null || reset_at === null) return 'Already reset.'
  return `Already reset by ${reset_by} on ${dayOf(reset_at)}.`
}

/** Somebody really paid: the status may only follow the money. */
function liveRefusalOf(record: SiteRecord): string | null {
  const { amount, currency, refunded_amount, subscription_status } = record
  if (statusOf(record) !== 'refunded' && amount !== 0) {
    if (refunded_amount === 0 || refunded_amount === null || amount === null)
      return 'Live purchase: refund in full first.'
    const [back, all] = [moneyText(refunded_amount, currency), moneyText(amount, currency)]
    return `Live purchase, ${back} of ${all} refunded: refund the remaining amount first.`
  }
  if (subscription_status !== null && subscription_status !== 'cancelled')
    return 'Live purchase with an active subscription: cancel the subscription first.'
  return null
}

export const undoableUntil = (resetAt: string): string => new Date(Date.parse(resetAt) + undoMs).toISOString()

type Undoable = Pick<ResetRecord, 'kind' | 'at' | 'undone_by' | 'is_known' | 'is_sold_again'>

/** Why an entry of the history cannot be undone now, or null. */
export function undoRefusalOf(
  { kind, at, undone_by, is_known, is_sold_again }: Undoable,
  nowMs: number,
): string | null {
  if (kind === 'undo') return 'Only a reset can be undone.'
  if (undone_by !== null) return `Already undone by ${undone_by}.`
  if (nowMs - Date.parse(at) > undoMs) return `Reset more than ${undoDays} days ago.`
  if (!is_known) return 'The purchase is no longer in the connected Stripe account.'
  if (is_sold_again) return 'The site was purchased again. Reset that purchase first.'
  return null
}
