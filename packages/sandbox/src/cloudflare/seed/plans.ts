import type { Zone } from '../types.ts'

type Plan = NonNullable<Zone['plan']>

const plan = (id: string, legacy: string, name: string, price: number): Plan => ({
  id,
  name,
  price,
  currency: 'USD',
  frequency: price > 0 ? 'monthly' : '',
  is_subscribed: price > 0,
  can_subscribe: price > 0,
  legacy_id: legacy,
  legacy_discount: false,
  externally_managed: false,
})

export const plans = {
  free: plan('0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', 'free', 'Free Website', 0),
  pro: plan('94f3b7b768b0458b56d2cac4fe5ec0f9', 'pro', 'Pro Website', 25),
  business: plan('9dc1c5d1c9d0d3a7c1c2f0b1e9a2b7f4', 'business', 'Business Website', 250),
  enterprise: plan('b2f7c1a39e5d4c6f8a1b0d2e4f6a8c0e', 'enterprise', 'Enterprise Website', 0),
  empty: { ...plan('', '', '', 0), currency: '', is_subscribed: false, can_subscribe: false },
} satisfies Record<string, Plan>
