import type { World } from '../../world/world.ts'
import { planOf } from '../objects/catalogue.ts'
import type { Price } from '../types.ts'

/** Subscriptions carry their prices with them, so a changed price is changed there too; nobody is told of that. */
export async function spreadPrice(world: World, price: Price, subscriptionIds: string[]): Promise<void> {
  for (const id of subscriptionIds) {
    await world.change(
      'subscription',
      id,
      (draft) => {
        for (const item of draft.items.data) {
          if (item.price.id !== price.id) continue
          item.price = price
          item.plan = planOf(price)
        }
      },
      null,
    )
  }
}
