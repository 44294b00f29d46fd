import type { Caller } from '../../../../test/request.ts'
import { makeCustomer, makeInvoice, order, type World } from './world.ts'

/** For each change of an invoice a call that makes it, and what it needs before. */
export function invoiceSamples(world: () => Pick<World, 'sandbox' | 'console'>, caller: () => Caller) {
  const existing = (verb: string) => async () => {
    const id = await makeInvoice(world(), await makeCustomer(world()))
    return { caller: caller(), path: `/stripe/invoices/${id}/${verb}` }
  }
  return {
    async createInvoice() {
      return { caller: caller(), path: '/stripe/invoices', body: order(await makeCustomer(world())) }
    },
    sendInvoice: existing('send'),
    voidInvoice: existing('void'),
    markInvoiceUncollectible: existing('mark-uncollectible'),
  }
}
