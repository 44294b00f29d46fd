import { makeCode, makeCoupon } from '../../../../test/new-orders.ts'
import type { ProviderWorld } from '../../../../test/provider-world.ts'
import type { Caller } from '../../../../test/request.ts'

type Places = Pick<ProviderWorld, 'sandbox' | 'console'>

/** For each change of coupons and their codes a call that makes it. */
export function couponSamples(world: () => Places, root: () => Caller) {
  const newCoupon = () => makeCoupon(world(), { percent_off: '20' })
  return {
    createCoupon: () => ({
      ...{ caller: root(), path: '/stripe/coupons' },
      body: { name: 'Spring', percent_off: 20, duration: 'once' },
    }),
    deleteCoupon: async () => ({ caller: root(), path: `/stripe/coupons/${await newCoupon()}` }),
    createPromotionCode: async () => ({
      ...{ caller: root(), path: `/stripe/coupons/${await newCoupon()}/promotion-codes`, body: {} },
    }),
    switchPromotionCode: async () => ({
      ...{ caller: root(), path: `/stripe/promotion-codes/${await makeCode(world(), await newCoupon())}/switch` },
      body: { active: false },
    }),
  }
}
