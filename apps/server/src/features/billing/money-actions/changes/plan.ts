import type { SubscriptionChange } from '@agency/contract/types'
import { type Fields, fields, flag, idOf, integer, items, text } from '../../../../integrations/stripe/fields.ts'
import type { ItemsUpdate } from '../../../../integrations/stripe/gateway.ts'
import { invalidParameter, notFound } from '../../../../platform/errors.ts'
import { type Asked, type ChangeOf, conflict, hasEnded, type Payloads, type Situation, statusOf } from './change.ts'
import { periodAfter } from './period-after.ts'

type PlanPayload = Payloads['change_plan']

const rhythmOf = (price: Fields): string => {
  const { interval, interval_count } = fields(price['recurring'])
  return `${interval} ${integer(interval_count) ?? 1}`
}
const isMetered = (price: Fields): boolean => fields(price['recurring'])['usage_type'] === 'metered'
const priceOf = (item: Fields): Fields => fields(item['price'])

const blocked: Record<string, string> = {
  canceled: 'This subscription has ended: no plan change possible',
  incomplete_expired: 'This subscription has ended: no plan change possible',
  incomplete: 'Change the plan after the first payment',
  unpaid: 'Change the plan after the unpaid invoices are paid',
  paused: 'This subscription is paused: change the plan after it continues',
}

function checkSubscription(subscription: Fields): void {
  const reason = blocked[statusOf(subscription)]
  if (reason) throw conflict(reason)
  if (flag(subscription['cancel_at_period_end']) || integer(subscription['cancel_at']) !== null)
    throw conflict('This subscription is set to end. Undo the cancellation first.')
  if (text(fields(subscription['pause_collection'])['behavior']) !== null)
    throw conflict('Collection is paused. Resume first.')
}

function chooseItem(lines: readonly Fields[], id: string | undefined): Fields {
  const found = id === undefined ? lines[0] : lines.find((item) => idOf(item) === id)
  if (!found) throw invalidParameter('item', 'is not part of this subscription')
  if (id === undefined && lines.length > 1)
    throw invalidParameter('item', 'is required: the subscription has several items')
  return found
}

function checkPrice({ subscription, price }: Situation, item: Fields, lines: readonly Fields[], id: string): void {
  if (!price) throw notFound(`Price ${id}`)
  const { raw, isOffered } = price
  if (idOf(priceOf(item)) === id) throw conflict('The subscription already has this price')
  if (lines.some((line) => idOf(priceOf(line)) === id))
    throw conflict('Another item of the subscription has this price')
  if (raw['type'] !== 'recurring') throw conflict('One-time price: choose a recurring one')
  if (!isOffered) throw conflict('Archived price: choose another one')
  if (raw['currency'] !== subscription['currency'])
    throw conflict(
      `This price is in ${String(raw['currency']).toUpperCase()} and the subscription in ${String(subscription['currency']).toUpperCase()}: the currency cannot be changed`,
    )
  if (isMetered(raw) || isMetered(priceOf(item))) throw conflict('Usage-based prices cannot be changed here')
  if (rhythmOf(raw) === rhythmOf(priceOf(item))) return
  if (lines.length > 1) throw conflict('All items need the same billing period: choose another price')
  if (statusOf(subscription) === 'trialing')
    throw conflict('During a trial: choose a price with the same billing period, or wait for the end')
}

const oldestMs = 60 * 60_000
const aheadMs = 60_000

/** A preview holds for an hour; one from before the period would charge what was paid already. */
function prorationDate(asked: number | undefined, item: Fields, nowMs: number): number {
  const now = Math.floor(nowMs / 1000)
  if (asked === undefined) return now
  if (asked * 1000 > nowMs + aheadMs) throw invalidParameter('proration_date', 'must not be in the future')
  const start = integer(item['current_period_start']) ?? 0
  if (asked < start || asked * 1000 < nowMs - oldestMs) throw conflict('The preview is too old. Check the new preview.')
  return asked
}

/** Another price for one item. The quantity stays. */
export const changePlan: ChangeOf<'change_plan'> = {
  prepare(situation, asked: Asked['change_plan']) {
    const { subscription, nowMs } = situation
    checkSubscription(subscription)
    const lines = items(subscription['items'])
    const item = chooseItem(lines, asked.item)
    checkPrice(situation, item, lines, asked.price)
    return {
      item: idOf(item) ?? '',
      price: asked.price,
      proration: asked.proration,
      proration_date: prorationDate(asked.proration_date, item, nowMs),
      or_nothing: subscription['collection_method'] === 'charge_automatically',
    }
  },
  foresee({ subscription, price, nowMs }, payload) {
    const raw = price?.raw ?? {}
    const data = items(subscription['items']).map((item) => {
      if (idOf(item) !== payload.item) return item
      if (rhythmOf(raw) === rhythmOf(priceOf(item))) return { ...item, price: raw }
      const start = Math.floor(nowMs / 1000)
      return {
        ...item,
        price: raw,
        current_period_start: start,
        current_period_end: periodAfter(start, fields(raw['recurring'])),
      }
    })
    return { ...subscription, items: { ...fields(subscription['items']), data } }
  },
  isAchieved: (subscription, { item, price }) =>
    !hasEnded(subscription) &&
    items(subscription['items']).some((line) => idOf(line) === item && idOf(priceOf(line)) === price),
  invoices: () => 'unchanged',
  undo: () => ({ by: 'change_plan' satisfies SubscriptionChange, until: null }),
  send: (stripe, id, payload, key) =>
    stripe.updateSubscription(
      id,
      { ...itemsUpdate(payload), ...(payload.or_nothing && { payment_behavior: 'error_if_incomplete' }) },
      key,
    ),
}

const behaviors = { now: 'always_invoice', next_invoice: 'create_prorations', none: 'none' } as const

/** The same for the preview and for the change, so that the one shows what the other does. */
export const itemsUpdate = ({ item, price, proration, proration_date }: PlanPayload): ItemsUpdate => ({
  items: [{ id: item, price }],
  proration_behavior: behaviors[proration],
  ...(proration !== 'none' && { proration_date }),
})

/** Whether it is billed at once: asked for, or because another rhythm begins a new period. */
export function isChargedNow({ subscription, price }: Situation, { item, proration }: PlanPayload): boolean {
  const line = items(subscription['items']).find((each) => idOf(each) === item)
  if (!line || !price || statusOf(subscription) === 'trialing') return false
  return proration === 'now' || rhythmOf(price.raw) !== rhythmOf(priceOf(line))
}
