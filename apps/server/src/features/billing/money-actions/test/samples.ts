import type { Caller } from '../../../../../test/request.ts'
import { makePayment, makeSubscription, mirrorObject, type World } from './world.ts'

/** For each action that moves money or changes a subscription a call that makes it, and what it needs before. */
export function changeSamples(world: () => World, caller: () => Caller) {
  const started = async (verb: string, body: object, before?: [verb: string, body: object]) => {
    const id = await makeSubscription(world(), { price: 'starter.month.usd' })
    if (before) await caller().post(`/stripe/subscriptions/${id}/${before[0]}`, before[1])
    return { caller: caller(), path: `/stripe/subscriptions/${id}/${verb}`, body }
  }
  return {
    async refundPayment() {
      const { payment } = await makePayment(world())
      return { caller: caller(), path: `/stripe/payments/${payment}/refund`, body: {} }
    },
    async cancelSubscription() {
      const id = await makeSubscription(world())
      return { caller: caller(), path: `/stripe/subscriptions/${id}/cancel`, body: {} }
    },
    undoCancellation: () => started('undo-cancel', {}, ['cancel', { at: 'period_end' }]),
    pauseSubscription: () => started('pause', { behavior: 'void' }),
    resumeSubscription: () => started('resume', {}, ['pause', { behavior: 'void' }]),
    async changePlan() {
      const prices = await world().sandbox.control.dump('price')
      const price = prices.find((each) => each['lookup_key'] === 'business_month_usd')
      await mirrorObject(world().console, 'product', String(price?.['product']))
      await mirrorObject(world().console, 'price', String(price?.['id']))
      return started('plan', { price: price?.['id'] })
    },
  }
}
