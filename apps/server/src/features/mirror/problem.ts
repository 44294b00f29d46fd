import type { AppContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../integrations/provider-failure.ts'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import type { Lane, StripeGateway } from '../../integrations/stripe/gateway.ts'
import { deleteProblem, upsertProblem } from './queries/problems.ts'

/** Failures of the connection as a whole; the others are about one call. */
const lasting: ReadonlySet<ProviderErrorKind> = new Set(['auth', 'rate_limit', 'unavailable', 'bad_answer'])

/** The provider, not the object asked for, is the trouble: a later try may well succeed. */
export const isOutage = (error: unknown): boolean =>
  error instanceof ProviderError && error.kind !== 'bad_answer' && lasting.has(error.kind)

/** It answered, and failed: that may be so for one object while all others are fine. */
export const isFailureAtOne = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'unavailable' && error.providerStatus !== undefined

const quietMs = 5000

type Watch = Pick<AppContext, 'db' | 'clock' | 'log'>

/** Writes down what is wrong with the provider since when, and that it is over; both seldom. */
function createReporter({ db, clock, log }: Watch) {
  // A problem may have been left behind by a process that ended.
  let mayHaveProblem = true
  let quietUntil = 0

  async function report(error: ProviderError | null): Promise<void> {
    if (error === null) {
      if (!mayHaveProblem) return
      mayHaveProblem = false
      quietUntil = 0
      if (await deleteProblem(db)) log.info('the provider answers again')
      return
    }
    if (!lasting.has(error.kind)) return
    mayHaveProblem = true
    if (clock() < quietUntil) return
    quietUntil = clock() + quietMs
    const at = new Date(clock())
    const retryAt = error.retryAfter === undefined ? null : new Date(at.getTime() + error.retryAfter * 1000)
    await upsertProblem(db, { kind: error.kind, message: error.message, at, retryAt })
    log.warn(
      { kind: error.kind, requestId: error.requestId, status: error.providerStatus },
      'the provider has a problem',
    )
  }

  return async (error: ProviderError | null): Promise<void> => {
    try {
      await report(error)
    } catch (failure) {
      mayHaveProblem = true
      log.warn({ err: failure }, 'the state of the provider could not be written down')
    }
  }
}

/** The same gateway; the screens learn from it what is wrong with the provider and since when. */
export function watchStripe(gateway: StripeGateway, watch: Watch): StripeGateway {
  const report = createReporter(watch)
  const lanes = new Map<Lane, StripeGateway>()

  function watched(inner: StripeGateway): StripeGateway {
    const call =
      <A extends unknown[], R>(method: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        try {
          const answer = await method(...args)
          await report(null)
          return answer
        } catch (error) {
          if (error instanceof ProviderError) await report(error)
          throw error
        }
      }
    return {
      livemode: inner.livemode,
      localOrigin: inner.localOrigin,
      in: (lane) => {
        const known = lanes.get(lane) ?? watched(inner.in(lane))
        lanes.set(lane, known)
        return known
      },
      ping: call(inner.ping),
      getAccount: call(inner.getAccount),
      listObjects: call(inner.listObjects),
      findObject: call(inner.findObject),
      listEvents: call(inner.listEvents),
      listItems: call(inner.listItems),
      listDiscounts: call(inner.listDiscounts),
      previewInvoice: call(inner.previewInvoice),
      findPayer: call(inner.findPayer),
      listPaymentMethods: call(inner.listPaymentMethods),
      cancelSubscription: call(inner.cancelSubscription),
      createSubscription: call(inner.createSubscription),
      previewSubscription: call(inner.previewSubscription),
      updateSubscription: call(inner.updateSubscription),
      refund: call(inner.refund),
      creditCustomer: call(inner.creditCustomer),
      listBalanceChanges: call(inner.listBalanceChanges),
      createInvoice: call(inner.createInvoice),
      createInvoiceItem: call(inner.createInvoiceItem),
      actOnInvoice: call(inner.actOnInvoice),
      payInvoice: call(inner.payInvoice),
      deleteInvoiceDraft: call(inner.deleteInvoiceDraft),
      createCoupon: call(inner.createCoupon),
      deleteCoupon: call(inner.deleteCoupon),
      createPromotionCode: call(inner.createPromotionCode),
      switchPromotionCode: call(inner.switchPromotionCode),
      createPaymentLink: call(inner.createPaymentLink),
      switchPaymentLink: call(inner.switchPaymentLink),
      createCustomer: call(inner.createCustomer),
      deleteCustomer: call(inner.deleteCustomer),
      updateCustomer: call(inner.updateCustomer),
      createPortalSession: call(inner.createPortalSession),
      createWebhookEndpoint: call(inner.createWebhookEndpoint),
      listWebhookEndpoints: call(inner.listWebhookEndpoints),
      deleteWebhookEndpoint: call(inner.deleteWebhookEndpoint),
      verifyDelivery: inner.verifyDelivery,
    }
  }
  return watched(gateway)
}
