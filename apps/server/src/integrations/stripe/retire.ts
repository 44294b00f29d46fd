import { AppError } from '../../platform/errors.ts'
import type { Lane, StripeGateway } from './gateway.ts'

/**
 * The same gateway until it is retired. From then on it asks nothing more and what it still hears is dropped, so that work
 * which began with the key before does not bring its objects into the mirror of another account.
 */
export function retirable(gateway: StripeGateway): { gateway: StripeGateway; retire(): void } {
  let isRetired = false
  const lanes = new Map<Lane, StripeGateway>()

  function refuse(): void {
    if (isRetired) throw new AppError('not_connected', 'The connection to Stripe was changed')
  }

  const read =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      refuse()
      try {
        return await method(...args)
      } finally {
        refuse()
      }
    }

  /** What was sent has happened: its answer counts whatever became of the key. */
  const write =
    <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      refuse()
      return method(...args)
    }

  function wrap(inner: StripeGateway): StripeGateway {
    return {
      livemode: inner.livemode,
      localOrigin: inner.localOrigin,
      in: (lane) => {
        const known = lanes.get(lane) ?? wrap(inner.in(lane))
        lanes.set(lane, known)
        return known
      },
      ping: read(inner.ping),
      getAccount: read(inner.getAccount),
      listObjects: read(inner.listObjects),
      findObject: read(inner.findObject),
      listEvents: read(inner.listEvents),
      listItems: read(inner.listItems),
      listDiscounts: read(inner.listDiscounts),
      listBalanceChanges: read(inner.listBalanceChanges),
      listWebhookEndpoints: read(inner.listWebhookEndpoints),
      previewInvoice: read(inner.previewInvoice),
      previewSubscription: read(inner.previewSubscription),
      findPayer: read(inner.findPayer),
      listPaymentMethods: read(inner.listPaymentMethods),
      createPortalSession: read(inner.createPortalSession),
      cancelSubscription: write(inner.cancelSubscription),
      createSubscription: write(inner.createSubscription),
      updateSubscription: write(inner.updateSubscription),
      refund: write(inner.refund),
      creditCustomer: write(inner.creditCustomer),
      createInvoice: write(inner.createInvoice),
      createInvoiceItem: write(inner.createInvoiceItem),
      actOnInvoice: write(inner.actOnInvoice),
      payInvoice: write(inner.payInvoice),
      deleteInvoiceDraft: write(inner.deleteInvoiceDraft),
      createCoupon: write(inner.createCoupon),
      deleteCoupon: write(inner.deleteCoupon),
      createPromotionCode: write(inner.createPromotionCode),
      switchPromotionCode: write(inner.switchPromotionCode),
      createPaymentLink: write(inner.createPaymentLink),
      switchPaymentLink: write(inner.switchPaymentLink),
      createCustomer: write(inner.createCustomer),
      deleteCustomer: write(inner.deleteCustomer),
      updateCustomer: write(inner.updateCustomer),
      createWebhookEndpoint: write(inner.createWebhookEndpoint),
      deleteWebhookEndpoint: write(inner.deleteWebhookEndpoint),
      verifyDelivery: inner.verifyDelivery,
    }
  }

  return {
    gateway: wrap(gateway),
    retire() {
      isRetired = true
    },
  }
}
