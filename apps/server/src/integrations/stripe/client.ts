import Stripe from 'stripe'
import { unlimited } from '../../platform/allowance.ts'
import { allowedBy, defaultBase, type StripeAllowance } from './allowance.ts'
import { checkObject, checkPage } from './answers.ts'
import { couponWrites } from './coupon-writes.ts'
import { ProviderError, toProviderError } from './errors.ts'
import { mirroredEventTypes } from './event-types.ts'
import { type Fields, items } from './fields.ts'
import type {
  Answer,
  CancelRequest,
  CreditRequest,
  CustomerChange,
  ItemsUpdate,
  NewSubscription,
  ObjectPage,
  ProviderAccount,
  ProviderObject,
  RefundRequest,
  StripeGateway,
  SubscriptionTerms,
  SubscriptionUpdate,
  WebhookEndpoint,
} from './gateway.ts'
import { createHttpClient } from './http-client.ts'
import { type Ask, invoiceWrites } from './invoice-writes.ts'
import { beginCall, type Patience, runCall } from './one-call.ts'
import { createPace } from './pace.ts'
import { pagesOf } from './pages.ts'
import { payerExpansions, payerOf } from './payer.ts'
import { paymentLinkWrites, withAllLines } from './payment-link-writes.ts'
import { portal } from './portal.ts'
import {
  discountsPath,
  eventsPath,
  isIntentId,
  itemsPath,
  listPath,
  objectPath,
  requestForId,
  requestOf,
} from './requests.ts'
import { verifyDelivery } from './webhook-signature.ts'

export type StripeOptions = {
  secretKey: string
  /** Another server that speaks the same protocol; https unless it is on this machine. */
  apiBase?: string | undefined
  timeoutMs?: number
  /** For all tries of one call, where somebody waits. */
  callMs?: number
  /** Of this account, shared with all other work. */
  allowance?: StripeAllowance
  /** The pace of imports and walks. */
  bulkPerSecond?: number
}

type Lane = Patience & { retries: number }

/** Whoever waits at a screen is answered within ten seconds, also when a look at what was written comes on top. */
const patient = {
  request: { retries: 1, tryMs: 5000, callMs: 7500, waitsForLimit: true, isAwaited: true },
  brief: { retries: 0, tryMs: 2000, callMs: 2000, waitsForLimit: true, isAwaited: true },
  job: { retries: 0, tryMs: 10_000, callMs: 10_000, waitsForLimit: false, isAwaited: false },
} satisfies Record<string, Lane>

const balanceChange = 'customer_balance_transaction'
const balancePath = (customer: string) => `/v1/customers/${encodeURIComponent(customer)}/balance_transactions`

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
const maxItemPages = 50

const isLiveKey = (secretKey: string): boolean => /^(sk|rk)_live_/.test(secretKey)

/** A live key is never sent in the clear, but on this machine. */
export function isAddressSafe({ secretKey, apiBase }: Pick<StripeOptions, 'secretKey' | 'apiBase'>): boolean {
  const url = new URL(apiBase ?? defaultBase)
  return !isLiveKey(secretKey) || url.protocol === 'https:' || loopback.has(url.hostname)
}

function localOriginOf({ apiBase }: StripeOptions): string | null {
  const url = new URL(apiBase ?? defaultBase)
  return loopback.has(url.hostname) ? url.origin : null
}

function addressOf(options: StripeOptions): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (!isAddressSafe(options))
    throw new Error('STRIPE_API_BASE must start with https:// when STRIPE_SECRET_KEY is a live key')
  const url = new URL(options.apiBase ?? defaultBase)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return { host: url.hostname, port: url.port || (protocol === 'http' ? '80' : '443'), protocol }
}

export function createStripeGateway(options: StripeOptions): StripeGateway {
  const stripe = new Stripe(options.secretKey, {
    ...addressOf(options),
    httpClient: createHttpClient(),
    telemetry: false,
    timeout: options.timeoutMs ?? 10_000,
    maxNetworkRetries: 0,
  })
  const pace = createPace(options.bulkPerSecond ?? 10)
  const isLive = isLiveKey(options.secretKey)

  const { turn, obey } = allowedBy(options.allowance ?? unlimited)

  const askWith =
    ({ retries, ...patience }: Lane, wait?: () => Promise<void>): Ask =>
    async (method, path, params, key) => {
      await wait?.()
      const call = beginCall(patience)
      await turn(call)
      const settings = { maxNetworkRetries: retries, ...(key !== undefined && { idempotencyKey: key }) }
      try {
        return await runCall(call, () => stripe.rawRequest(method, path, params, settings))
      } catch (error) {
        const failure = toProviderError(error, { mayHaveRun: call.mayHaveRun })
        await obey(failure)
        throw failure
      }
    }

  const lanes: Record<string, StripeGateway> = {}
  const lane = (ask: Ask): StripeGateway => ({
    livemode: isLive,
    localOrigin: localOriginOf(options),
    in: (name) => lanes[name] as StripeGateway,
    ...reads(ask),
    ...writes(ask),
    ...invoiceWrites(ask),
    ...couponWrites(ask),
    ...paymentLinkWrites(ask),
    ...portal(ask, localOriginOf(options)),
    verifyDelivery: (raw, header, secrets, now) => verifyDelivery(stripe.webhooks, raw, header, secrets, now),
  })
  lanes['request'] = lane(askWith({ ...patient.request, callMs: options.callMs ?? patient.request.callMs }))
  lanes['brief'] = lane(askWith(patient.brief))
  lanes['job'] = lane(askWith(patient.job))
  lanes['bulk'] = lane(askWith(patient.job, pace))
  return lanes['request']
}

function reads(ask: Ask) {
  async function listItems(subscription: string): Promise<ProviderObject[]> {
    const load = async (after: string | undefined) =>
      checkPage(await ask('GET', itemsPath(subscription, after)), 'subscription_item', after)
    const listed: ProviderObject[] = []
    for await (const page of pagesOf(load, { what: 'items of one subscription', most: maxItemPages }))
      listed.push(...page.objects)
    return listed
  }

  /** Embedded lists end after ten. */
  async function withAllItems(object: ProviderObject): Promise<ProviderObject> {
    const embedded = object['items'] as { has_more?: boolean } | undefined
    if (object.object !== 'subscription' || embedded?.has_more !== true) return object
    return { ...object, items: { ...embedded, data: await listItems(object.id), has_more: false } }
  }

  const withAllParts = (object: ProviderObject): Promise<ProviderObject> =>
    object.object === 'payment_link' ? withAllLines(ask, object) : withAllItems(object)

  async function find(path: string, name: string): Promise<ProviderObject | null> {
    try {
      const object = checkObject(await ask('GET', path), name)
      return object.deleted === true ? null : object
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'not_found') return null
      throw error
    }
  }

  return {
    listItems,
    async ping(): Promise<void> {
      checkPage(await ask('GET', eventsPath({ limit: 1 })), 'event', undefined)
    },
    async getAccount(): Promise<ProviderAccount> {
      const raw = checkObject(await ask('GET', '/v1/account'), 'account')
      return toAccount(raw)
    },
    async listObjects(kind: Parameters<StripeGateway['listObjects']>[0], query = {}): Promise<ObjectPage> {
      const page = checkPage(await ask('GET', listPath(kind, query)), requestOf[kind].name, query.startingAfter)
      if (kind !== 'subscription' && kind !== 'payment_link') return page
      return { ...page, objects: await Promise.all(page.objects.map(withAllParts)) }
    },
    async findObject(kind: Parameters<StripeGateway['findObject']>[0], id: string): Promise<ProviderObject | null> {
      const object = await find(objectPath(kind, id), requestForId(kind, id).name)
      return object && withAllParts(object)
    },
    async listDiscounts(subscription: string): Promise<Fields[] | null> {
      const object = await find(discountsPath(subscription), requestOf.subscription.name)
      return object && items(object['discounts'])
    },
    async listEvents(query: Parameters<StripeGateway['listEvents']>[0]): Promise<ObjectPage> {
      return checkPage(await ask('GET', eventsPath(query)), 'event', query.startingAfter)
    },
    async previewInvoice(subscription: string, update: ItemsUpdate): Promise<ProviderObject | null> {
      try {
        const body = { subscription, subscription_details: update }
        return checkObject(await ask('POST', '/v1/invoices/create_preview', body), 'invoice')
      } catch (error) {
        if (error instanceof ProviderError && error.providerCode === 'invoice_upcoming_none') return null
        throw error
      }
    },
    async previewSubscription(terms: Parameters<StripeGateway['previewSubscription']>[0]): Promise<ProviderObject> {
      const { customer, price, quantity, trialEnd, anchor } = terms
      const body = {
        customer,
        subscription_details: {
          items: [{ price, quantity }],
          ...(trialEnd !== null && { trial_end: trialEnd }),
          ...(anchor !== undefined && { billing_cycle_anchor: anchor }),
        },
        ...discountsOf(terms),
      }
      return checkObject(await ask('POST', '/v1/invoices/create_preview', body), 'invoice')
    },
    async findPayer(of: 'invoice' | 'subscription', id: string): Promise<Fields | null> {
      const object = await find(objectPath(of, id, payerExpansions[of]), requestOf[of].name)
      return object && payerOf(object)
    },
    async listPaymentMethods(customer: string): Promise<ProviderObject[] | null> {
      const path = `/v1/customers/${encodeURIComponent(customer)}/payment_methods?limit=100`
      try {
        return checkPage(await ask('GET', path), 'payment_method', undefined).objects
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'not_found') return null
        throw error
      }
    },
    async listBalanceChanges(customer: string, startingAfter?: string): Promise<ObjectPage> {
      const after = startingAfter === undefined ? '' : `&starting_after=${encodeURIComponent(startingAfter)}`
      return checkPage(await ask('GET', `${balancePath(customer)}?limit=100${after}`), balanceChange, startingAfter)
    },
    async listWebhookEndpoints(): Promise<WebhookEndpoint[]> {
      const page = checkPage(await ask('GET', '/v1/webhook_endpoints?limit=100'), 'webhook_endpoint', undefined)
      return page.objects.map(toEndpoint)
    },
  } satisfies Partial<StripeGateway>
}

function writes(ask: Ask) {
  const answer = (value: unknown, name: string): Answer => {
    const last = (value as { lastResponse?: { requestId?: string } } | null)?.lastResponse
    return { object: checkObject(value, name), requestId: last?.requestId ?? null }
  }
  return {
    async cancelSubscription(id: string, { at, idempotencyKey }: CancelRequest): Promise<Answer> {
      const path = objectPath('subscription', id)
      if (at === 'now') return answer(await ask('DELETE', path, undefined, idempotencyKey), 'subscription')
      const [bare = path] = path.split('?')
      const body = { cancel_at_period_end: true, expand: requestOf.subscription.expand }
      return answer(await ask('POST', bare, body, idempotencyKey), 'subscription')
    },
    async createSubscription({ idempotencyKey, by, ...order }: NewSubscription): Promise<Answer> {
      const { customer, price, quantity, trialDays, metadata } = order
      const body = {
        customer,
        items: [{ price, quantity }],
        metadata,
        ...(trialDays > 0 && { trial_period_days: trialDays }),
        ...(order.anchor !== undefined && {
          billing_cycle_anchor: order.anchor,
          proration_behavior: 'create_prorations',
        }),
        ...discountsOf(order),
        // A first payment that fails leaves nothing behind.
        ...('paymentMethod' in by
          ? {
              collection_method: 'charge_automatically',
              default_payment_method: by.paymentMethod,
              payment_behavior: 'error_if_incomplete',
              off_session: true,
            }
          : { collection_method: 'send_invoice', days_until_due: by.daysUntilDue }),
        expand: requestOf.subscription.expand,
      }
      return answer(await ask('POST', '/v1/subscriptions', body, idempotencyKey), 'subscription')
    },
    async updateSubscription(id: string, update: SubscriptionUpdate, idempotencyKey: string): Promise<Answer> {
      const [path] = objectPath('subscription', id).split('?')
      const body = { ...unsetting(update), expand: requestOf.subscription.expand }
      return answer(await ask('POST', path ?? '', body, idempotencyKey), 'subscription')
    },
    async refund({ paymentId, amount, reason, metadata, idempotencyKey }: RefundRequest): Promise<Answer> {
      const target = isIntentId(paymentId) ? { payment_intent: paymentId } : { charge: paymentId }
      const body = { ...target, metadata, ...(amount !== undefined && { amount }), ...(reason && { reason }) }
      return answer(await ask('POST', '/v1/refunds', body, idempotencyKey), 'refund')
    },
    async creditCustomer({ customer, amount, idempotencyKey, ...rest }: CreditRequest): Promise<Answer> {
      // At the provider a credit is what the customer owes less.
      const body = { ...rest, amount: -amount }
      return answer(await ask('POST', balancePath(customer), body, idempotencyKey), balanceChange)
    },
    async createCustomer(customer: CustomerChange, idempotencyKey: string): Promise<Answer> {
      const body = { ...withoutNulls(customer), expand: requestOf.customer.expand }
      return answer(await ask('POST', requestOf.customer.path, body, idempotencyKey), 'customer')
    },
    async updateCustomer(id: string, change: CustomerChange, idempotencyKey: string): Promise<Answer> {
      const [path] = objectPath('customer', id).split('?')
      const body = { ...unsetting(change), expand: requestOf.customer.expand }
      return answer(await ask('POST', path ?? '', body, idempotencyKey), 'customer')
    },
    async deleteCustomer(id: string, idempotencyKey: string): Promise<Answer> {
      const [path = ''] = objectPath('customer', id).split('?')
      return answer(await ask('DELETE', path, undefined, idempotencyKey), 'customer')
    },
    async createWebhookEndpoint(url: string): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
      const body = {
        url,
        enabled_events: mirroredEventTypes,
        api_version: Stripe.API_VERSION,
        description: 'Agency Console',
      }
      const object = checkObject(await ask('POST', '/v1/webhook_endpoints', body), 'webhook_endpoint')
      const secret = object['secret']
      if (typeof secret !== 'string') throw new ProviderError('bad_answer', 'Stripe gave no signing secret')
      return { endpoint: toEndpoint(object), secret }
    },
    async deleteWebhookEndpoint(id: string): Promise<void> {
      await ask('DELETE', `/v1/webhook_endpoints/${encodeURIComponent(id)}`)
    },
  } satisfies Partial<StripeGateway>
}

function discountsOf({ coupon, promotionCode }: Pick<SubscriptionTerms, 'coupon' | 'promotionCode'>) {
  if (promotionCode !== undefined) return { discounts: [{ promotion_code: promotionCode }] }
  return coupon === undefined ? {} : { discounts: [{ coupon }] }
}

/** An empty text is how the provider is told to unset something, at any depth. */
const unsetting = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(change).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? unsetting(value) : (value ?? ''),
    ]),
  )

const withoutNulls = (change: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(change)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'object' ? withoutNulls(value) : value]),
  )

function toAccount(raw: ProviderObject): ProviderAccount {
  const currency = raw['default_currency']
  const profile = raw['business_profile'] as { name?: unknown } | null | undefined
  const settings = raw['settings'] as { dashboard?: { display_name?: unknown } } | null | undefined
  const name = [settings?.dashboard?.display_name, profile?.name].find(
    (text) => typeof text === 'string' && text !== '',
  )
  return {
    id: raw.id,
    name: (name as string | undefined) ?? null,
    defaultCurrency: typeof currency === 'string' ? currency : 'usd',
    raw,
  }
}

const toEndpoint = (raw: ProviderObject): WebhookEndpoint => ({
  id: raw.id,
  url: String(raw['url']),
  enabled: raw['status'] === 'enabled',
  apiVersion: typeof raw['api_version'] === 'string' ? raw['api_version'] : null,
  events: Array.isArray(raw['enabled_events']) ? raw['enabled_events'].map(String) : [],
})
