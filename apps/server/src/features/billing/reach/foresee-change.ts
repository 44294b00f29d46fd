import type { Reach, SubscriptionChange } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { type Fields, fields, instant } from '../../../integrations/stripe/fields.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { changeOf } from '../money-actions/changes/all.ts'
import type { Asked, KnownPrice, Payloads, Situation } from '../money-actions/changes/change.ts'
import { openText } from '../money-actions/sentences.ts'
import { findOpenChange } from '../queries/money-actions.ts'
import { findPrice, findUnpaidInvoices } from '../queries/money-targets.ts'
import { compareSubscription } from './state.ts'

type Source = { db: AppContext['db']; clock: () => number }
type Target = { id: string; raw: unknown } | undefined

export type Foreseen<K extends SubscriptionChange> = {
  situation: Situation
  /** null: it is so already. */
  payload: Payloads[K] | null
  reach: Reach
}

async function priceNamed({ db }: Source, asked: unknown): Promise<KnownPrice | null> {
  const id = fields(asked)['price']
  const price = typeof id === 'string' ? await findPrice(db, id) : null
  return price && { raw: fields(price.raw), isOffered: price.isOffered }
}

/**
 * What a change would send and what that leads to. The preview shows it, and the change itself is made by it; throws why
 * it cannot be done.
 */
export async function foreseeChange<K extends SubscriptionChange>(
  source: Source,
  target: Target,
  id: string,
  kind: K,
  asked: Asked[K],
): Promise<Foreseen<K>> {
  if (!target) throw notFound(`Subscription ${id}`)
  const nowMs = source.clock()
  const situation: Situation = {
    subscription: fields(target.raw),
    price: await priceNamed(source, asked),
    nowMs,
  }
  const change = changeOf(kind)
  const payload = change.prepare(situation, asked)
  if (payload === null) {
    const same = await reachOf(source, id, kind, situation, situation.subscription)
    return { situation, payload, reach: { ...same, is_so_already: true } }
  }
  const other = await findOpenChange(source.db, id)
  if (other) throw new AppError('conflict', `${openText(other, nowMs)}. Wait for that first.`)
  const after = change.foresee(situation, payload)
  const reach = await reachOf(source, id, kind, situation, after)
  const ends = instant(change.endsAt?.(after, payload))
  const invoices = change.invoices(payload)
  return {
    situation,
    payload,
    reach: {
      ...reach,
      mrr: ends === null ? reach.mrr : reach.mrr.map((row) => ({ ...row, after: 0, at: ends })),
      invoices: reach.invoices.map((invoice) => ({ ...invoice, becomes: invoices })),
      undo: change.undo(after, payload),
    },
  }
}

async function reachOf(
  { db }: Source,
  id: string,
  action: SubscriptionChange,
  { subscription, nowMs }: Situation,
  after: Fields,
): Promise<Reach> {
  const reached = await compareSubscription(db, id, [subscription, after], nowMs)
  const unpaid = await findUnpaidInvoices(db, id)
  const at = new Date(nowMs).toISOString()
  return {
    action,
    refusal: null,
    is_so_already: false,
    subscriptions: [reached],
    payment: null,
    mrr: [{ currency: reached.currency, before: reached.before.mrr, after: reached.after.mrr, at }],
    invoices: unpaid.map((invoice) => ({ ...invoice, becomes: 'unchanged' as const })),
    undo: null,
  }
}

/** A reason why not is part of a preview; what is asked wrongly, or does not exist, is not. */
export async function previewChange<K extends SubscriptionChange>(
  source: Source,
  target: Target,
  id: string,
  kind: K,
  asked: Asked[K],
): Promise<Foreseen<K> | { payload: null; situation: null; reach: Reach }> {
  try {
    return await foreseeChange(source, target, id, kind, asked)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict') || !target) throw error
    const subscription = fields(target.raw)
    const situation: Situation = { subscription, price: null, nowMs: source.clock() }
    const reach = await reachOf(source, id, kind, situation, subscription)
    return { payload: null, situation: null, reach: { ...reach, refusal: error.message } }
  }
}
