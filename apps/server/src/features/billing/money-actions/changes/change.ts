import type { MoneyAction, SubscriptionChange } from '@agency/contract/types'
import { type Fields, items, text } from '../../../../integrations/stripe/fields.ts'
import type { Answer, StripeGateway } from '../../../../integrations/stripe/gateway.ts'
import { AppError } from '../../../../platform/errors.ts'

/** A price of the mirror, as the provider sent it, and whether it may still be sold. */
export type KnownPrice = { raw: Fields; isOffered: boolean }

export type Situation = {
  /** The subscription as the provider sent it last. */
  subscription: Fields
  /** What the change names; null when the mirror does not know it. */
  price: KnownPrice | null
  nowMs: number
}

type Undo = { by: MoneyAction['kind']; until: string | null } | null

/** One way to change a subscription: its rules, what it leads to, and how the provider is asked for it. */
export type Change<Asked, Payload> = {
  /** What to send; null when it is so already and asking again succeeds. Throws why it cannot be done. */
  prepare(situation: Situation, asked: Asked): Payload | null
  /** The subscription as the provider will show it afterwards. */
  foresee(situation: Situation, payload: Payload): Fields
  /** Whether a subscription shows what was wanted. */
  isAchieved(subscription: Fields, payload: Payload): boolean
  /** When it stops adding to MRR although the change itself does not end it; Unix seconds. */
  endsAt?(foreseen: Fields, payload: Payload): number | null
  invoices(payload: Payload): 'unchanged' | 'not_collected'
  undo(foreseen: Fields, payload: Payload): Undo
  send(stripe: StripeGateway, id: string, payload: Payload, idempotencyKey: string): Promise<Answer>
}

export type Payloads = {
  cancel: { at: 'now' | 'period_end' }
  undo_cancel: { scheduled: 'period_end' | 'date' }
  pause: { behavior: 'void' | 'keep_as_draft' | 'mark_uncollectible'; resumes_at: number | null }
  resume: Record<string, never>
  change_plan: {
    item: string
    price: string
    proration: 'now' | 'next_invoice' | 'none'
    proration_date: number
    /** A failed charge leaves everything as it was; the provider offers that only where it collects by itself. */
    or_nothing: boolean
  }
}

export type Asked = {
  cancel: { at: 'now' | 'period_end' }
  undo_cancel: Record<string, never>
  pause: { behavior: Payloads['pause']['behavior']; resumes_at: number | null }
  resume: Record<string, never>
  change_plan: {
    price: string
    item?: string | undefined
    proration: Payloads['change_plan']['proration']
    proration_date?: number | undefined
  }
}

export type ChangeOf<K extends SubscriptionChange> = Change<Asked[K], Payloads[K]>

export const conflict = (message: string): AppError => new AppError('conflict', message)

export const statusOf = (subscription: Fields): string => text(subscription['status']) ?? ''
export const hasEnded = (subscription: Fields): boolean =>
  ['canceled', 'incomplete_expired'].includes(statusOf(subscription))

/** Unix seconds; the earliest where its items differ. */
export function periodEndOf(subscription: Fields): number | null {
  const ends = items(subscription['items']).flatMap(({ current_period_end: end }) =>
    typeof end === 'number' ? [end] : [],
  )
  return ends.length > 0 ? Math.min(...ends) : null
}

/** `11/21/2026` in a sentence would depend on where the server stands; this does not. */
export const dayText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)
