import { periodBoundary } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import { planOf } from '../objects/catalogue.ts'
import { makeItem } from '../objects/subscription.ts'
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../types.ts'
import { collectInvoice } from './collect.ts'
import { isMetered, itemLine } from './invoice-lines.ts'
import { draftInvoice, finalizeInvoice } from './invoices.ts'
import { prorationItem } from './prorations.ts'

export type ItemChange = { id?: string; price?: Price; quantity?: number; deleted?: boolean }
export type Behavior = 'create_prorations' | 'always_invoice' | 'none'

function changedItem(world: World, subscription: Subscription, item: SubscriptionItem | undefined, change: ItemChange) {
  const first = subscription.items.data[0]
  const price = change.price ?? item?.price
  if (!price) throw new Error('A new item needs a price')
  if (!item) {
    return makeItem({
      id: world.newId('si'),
      created: world.now,
      subscription: subscription.id,
      price,
      quantity: change.quantity ?? 1,
      periodStart: first?.current_period_start ?? world.now,
      periodEnd: first?.current_period_end ?? periodBoundary(world.now, price.recurring!, 1),
    })
  }
  return {
    ...item,
    price,
    plan: planOf(price),
    ...(isMetered(price) ? {} : { quantity: change.quantity ?? item.quantity ?? 1 }),
  }
}

function applyChanges(world: World, subscription: Subscription, changes: ItemChange[]): SubscriptionItem[] {
  const items = [...subscription.items.data]
  for (const change of changes) {
    const index = items.findIndex(({ id }) => id === change.id)
    if (change.deleted) items.splice(index, 1)
    else if (index >= 0) items[index] = changedItem(world, subscription, items[index], change)
    else items.push(changedItem(world, subscription, undefined, change))
  }
  return items
}

const sameRhythm = (a: Price, b: Price) =>
  a.recurring?.interval === b.recurring?.interval && a.recurring?.interval_count === b.recurring?.interval_count

/** Changes prices or quantities. Another interval starts a new period now and is invoiced at once. */
export async function changeItems(
  world: World,
  id: string,
  changes: ItemChange[],
  behavior: Behavior,
  prorationDate?: number,
): Promise<Subscription> {
  const before = await world.need('subscription', id)
  const items = applyChanges(world, before, changes)
  const newRhythm = items.some((item) => {
    const old = before.items.data.find((other) => other.id === item.id)
    return old !== undefined && !sameRhythm(old.price, item.price)
  })
  const prorates = behavior !== 'none' && before.status !== 'trialing'
  if (prorates) await creditChanged(world, before, items, prorationDate)
  if (newRhythm) return await restartPeriod(world, before, items)
  if (prorates) await chargeChanged(world, before, items, prorationDate)
  const subscription = await world.change(
    'subscription',
    id,
    (draft) => {
      draft.items.data = items
    },
    'customer.subscription.updated',
  )
  if (behavior === 'always_invoice' && prorates) await invoiceNow(world, subscription, [])
  return await world.need('subscription', id)
}

const differs = (a: SubscriptionItem | undefined, b: SubscriptionItem | undefined) =>
  a?.price.id !== b?.price.id || a?.quantity !== b?.quantity

async function creditChanged(
  world: World,
  before: Subscription,
  items: SubscriptionItem[],
  at = world.now,
): Promise<void> {
  for (const old of before.items.data) {
    const now = items.find(({ id }) => id === old.id)
    if (!differs(old, now)) continue
    await prorationItem(world, before, old, { price: old.price, quantity: old.quantity ?? 1, sign: -1, at })
  }
}

async function chargeChanged(
  world: World,
  before: Subscription,
  items: SubscriptionItem[],
  at = world.now,
): Promise<void> {
  for (const item of items) {
    const old = before.items.data.find(({ id }) => id === item.id)
    if (!differs(old, item)) continue
    await prorationItem(world, before, item, { price: item.price, quantity: item.quantity ?? 1, sign: 1, at })
  }
}

async function restartPeriod(world: World, before: Subscription, items: SubscriptionItem[]): Promise<Subscription> {
  const renewed = items.map((item) => ({
    ...item,
    current_period_start: world.now,
    current_period_end: periodBoundary(world.now, item.price.recurring!, 1),
  }))
  const subscription = await world.change(
    'subscription',
    before.id,
    (draft) => {
      draft.items.data = renewed
      draft.billing_cycle_anchor = world.now
      if (draft.status === 'trialing') {
        draft.status = 'active'
        draft.trial_end = world.now
      }
    },
    'customer.subscription.updated',
  )
  const ends = renewed.map((item) => item.current_period_end)
  world.schedule('renew', before.id, Math.min(...ends))
  const lines: InvoiceLine[] = []
  for (const item of renewed) {
    if (isMetered(item.price)) continue
    lines.push(
      await itemLine(world, subscription, item, { start: item.current_period_start, end: item.current_period_end }),
    )
  }
  await invoiceNow(world, subscription, lines)
  return await world.need('subscription', before.id)
}

async function invoiceNow(world: World, subscription: Subscription, lines: InvoiceLine[]): Promise<void> {
  const invoice = await draftInvoice(world, {
    customer: await world.need('customer', subscription.customer),
    subscription,
    currency: subscription.currency,
    reason: 'subscription_update',
    lines,
    period: { start: world.now, end: world.now },
  })
  const final = await finalizeInvoice(world, invoice.id)
  if (final.status === 'open' && final.collection_method === 'charge_automatically') {
    await collectInvoice(world, final.id)
  }
}
