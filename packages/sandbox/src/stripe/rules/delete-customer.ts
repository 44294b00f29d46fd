import type { World } from '../../world/world.ts'
import { cancelSubscription, isEnded } from './cancel.ts'
import { cancelIntent } from './payments.ts'

/** Cannot be undone: live subscriptions end at once, and nothing is collected any more. */
export async function deleteCustomer(world: World, id: string): Promise<void> {
  for (const subscription of await world.find('subscription', { customer: id })) {
    if (!isEnded(subscription)) {
      await cancelSubscription(world, subscription.id, { reason: 'cancellation_requested' })
    }
  }
  for (const intent of await world.find('payment_intent', { customer: id, tag: 'requires_payment_method' })) {
    const payments = await world.find('invoice_payment', { payment_intent: intent.id })
    if (payments.length === 0) await cancelIntent(world, intent.id, 'abandoned')
  }
  await world.remove('customer', id, 'customer.deleted')
}
