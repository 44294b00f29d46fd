import { nextBoundary, periodBoundary } from '../../world/periods.ts'
import type { World } from '../../world/world.ts'
import type { InvoiceLine, Subscription } from '../types.ts'
import { cancelSubscription, isEnded } from './cancel.ts'
import { isMetered, itemLine } from './invoice-lines.ts'
import { draftInvoice, finalizeInvoice, markUncollectible, voidInvoice } from './invoices.ts'

export const periodEnd = (subscription: Subscription) =>
  Math.min(...subscription.items.data.map((item) => item.current_period_end))

/** A period is over: the subscription ends, or rolls on and drafts the invoice of the next period. */
export async function renewSubscription(world: World, id: string): Promise<void> {
  const before = await world.get('subscription', id)
  if (!before || isEnded(before) || before.status === 'paused' || before.status === 'incomplete') return
  if (before.cancel_at_period_end) {
    await cancelSubscription(world, id, { reason: 'cancellation_requested' })
    return
  }
  const end = periodEnd(before)
  const rolled = await world.change('subscription', id, (draft) => roll(draft, end), null)
  const lines = await renewalLines(world, before, rolled)
  const held = before.pause_collection
  const draft = await draftInvoice(world, {
    customer: await world.need('customer', rolled.customer),
    subscription: rolled,
    currency: rolled.currency,
    reason: 'subscription_cycle',
    lines,
    period: { start: Math.min(...before.items.data.map((item) => item.current_period_start)), end },
    autoAdvance: held?.behavior !== 'keep_as_draft' && before.status !== 'unpaid',
  })
  const after = await world.need('subscription', id)
  world.emit('customer.subscription.updated', 'subscription', after, {
    items: before.items,
    latest_invoice: before.latest_invoice,
    ...(after.status === before.status ? {} : { status: before.status }),
  })
  world.schedule('renew', id, periodEnd(after))
  if (held) await holdInvoice(world, draft.id, held.behavior)
  else if (draft.auto_advance) world.schedule('finalize', draft.id, draft.automatically_finalizes_at ?? world.now)
}

function roll(draft: Subscription, end: number): void {
  if (draft.status === 'trialing') draft.status = 'active'
  for (const item of draft.items.data) {
    if (item.current_period_end > end) continue
    item.current_period_start = item.current_period_end
    item.current_period_end = nextBoundary(draft.billing_cycle_anchor, item.price.recurring!, end)
  }
}

/** Licensed items are paid in advance for the new period, metered ones for the use of the old. */
async function renewalLines(world: World, before: Subscription, rolled: Subscription): Promise<InvoiceLine[]> {
  const { usage = {} } = await world.priv('subscription', before.id)
  const lines: InvoiceLine[] = []
  for (const item of rolled.items.data) {
    const old = before.items.data.find(({ id }) => id === item.id)
    if (!old || old.current_period_end === item.current_period_end) continue
    const metered = isMetered(item.price)
    if (metered && before.status === 'trialing') continue
    const period = metered ? old : item
    const used = metered ? (usage[item.id] ?? meteredUse(world, before.id)) : null
    lines.push(
      await itemLine(
        world,
        rolled,
        item,
        { start: period.current_period_start, end: period.current_period_end },
        { usage: used },
      ),
    )
  }
  if (Object.keys(usage).length > 0) await world.setPriv('subscription', before.id, { usage: {} })
  return lines
}

/** What a site used in a month, when nobody reported it: around a level of its own. */
function meteredUse(world: World, id: string): number {
  const level = 40 + ([...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 300)
  return Math.round(level * (0.7 + world.random.next() * 0.6))
}

async function holdInvoice(world: World, invoiceId: string, behavior: string): Promise<void> {
  if (behavior === 'void') await voidInvoice(world, invoiceId)
  if (behavior === 'mark_uncollectible') {
    await finalizeInvoice(world, invoiceId)
    if ((await world.need('invoice', invoiceId)).status === 'open') await markUncollectible(world, invoiceId)
  }
}

/** Bills start again with a fresh period from now. */
export async function resumePaused(world: World, id: string): Promise<Subscription> {
  const resumed = await world.change(
    'subscription',
    id,
    (draft) => {
      draft.status = 'active'
      draft.billing_cycle_anchor = world.now
      for (const item of draft.items.data) {
        item.current_period_start = world.now
        item.current_period_end = periodBoundary(world.now, item.price.recurring!, 1)
      }
      delete draft.status_details
    },
    'customer.subscription.resumed',
  )
  const lines: InvoiceLine[] = []
  for (const item of resumed.items.data) {
    if (isMetered(item.price)) continue
    lines.push(await itemLine(world, resumed, item, { start: item.current_period_start, end: item.current_period_end }))
  }
  const draft = await draftInvoice(world, {
    customer: await world.need('customer', resumed.customer),
    subscription: resumed,
    currency: resumed.currency,
    reason: 'subscription_update',
    lines,
    period: { start: world.now, end: world.now },
  })
  world.schedule('renew', id, periodEnd(resumed))
  world.schedule('finalize', draft.id, draft.automatically_finalizes_at ?? world.now)
  return await world.need('subscription', id)
}

export async function pauseSubscription(world: World, id: string): Promise<Subscription> {
  world.unschedule('renew', id)
  return await world.change('subscription', id, { status: 'paused' }, 'customer.subscription.paused')
}
