import { makeCustomer, saveCard } from '../../../../test/provider-world.ts'
import type { Caller } from '../../../../test/request.ts'
import { makeInvoice, order, type World } from './world.ts'

/** For each change of an invoice a call that makes it, and what it needs before. */
export function invoiceSamples(world: () => Pick<World, 'sandbox' | 'console'>, caller: () => Caller) {
  const existing = (verb: string, body?: object) => async () => {
    const id = await makeInvoice(world(), await makeCustomer(world()))
    return { caller: caller(), path: `/stripe/invoices/${id}/${verb}`, ...(body && { body }) }
  }
  return {
    async createInvoice() {
      return { caller: caller(), path: '/stripe/invoices', body: order(await makeCustomer(world())) }
    },
    sendInvoice: existing('send'),
    async payInvoice() {
      const customer = await makeCustomer(world())
      const card = await saveCard(world(), customer)
      const path = `/stripe/invoices/${await makeInvoice(world(), customer)}/pay`
      return { caller: caller(), path, body: { amount: 4000, payment_method: card } }
    },
    markInvoicePaid: existing('mark-paid', { amount: 4000 }),
    emailPaymentLink: existing('payment-link', { to: 'ada@example.com', amount: 4000 }),
    voidInvoice: existing('void'),
    markInvoiceUncollectible: existing('mark-uncollectible'),
  }
}
