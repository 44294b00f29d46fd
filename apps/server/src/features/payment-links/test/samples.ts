import { makeLink, makePrice } from '../../../../test/new-orders.ts'
import type { ProviderWorld } from '../../../../test/provider-world.ts'
import type { Caller } from '../../../../test/request.ts'

type Places = Pick<ProviderWorld, 'sandbox' | 'console'>

/** For each change of payment links a call that makes it. */
export function paymentLinkSamples(world: () => Places, root: () => Caller) {
  return {
    createPaymentLink: async () => ({
      ...{ caller: root(), path: '/stripe/payment-links', body: { price: await makePrice(world()) } },
    }),
    switchPaymentLink: async () => ({
      ...{ caller: root(), path: `/stripe/payment-links/${await makeLink(world())}/switch`, body: { active: false } },
    }),
  }
}
