import { noSuch, refused } from '../../http/errors.ts'
import { equals, innerPage, listPage, notTag, oneOfValues, theOne, within } from '../../http/list.ts'
import { bool, created, hash, oneOf, page, required, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { Condition } from '../../store/reader.ts'
import { presentItem } from '../../world/present.ts'
import { cancelSubscription, isEnded } from '../rules/cancel.ts'
import { pauseSubscription, resumePaused } from '../rules/renew.ts'

const statuses = [
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'paused',
  'all',
  'ended',
] as const

export const details = hash({
  comment: str(),
  feedback: oneOf(
    'customer_service',
    'low_quality',
    'missing_features',
    'other',
    'switched_service',
    'too_complex',
    'too_expensive',
    'unused',
  ),
})

function statusCondition(status: (typeof statuses)[number] | undefined): Condition[] {
  if (status === undefined) return [notTag('canceled')]
  if (status === 'all') return []
  return oneOfValues('tag', status === 'ended' ? ['canceled', 'incomplete_expired'] : [status])
}

const withPrice = (price: string | undefined): Condition[] =>
  price === undefined
    ? []
    : [
        {
          sql: (at) => `doc->'items'->'data' @> ${at}::jsonb`,
          value: JSON.stringify([{ price: { id: price } }]),
        },
      ]

const periodFilter = (
  field: 'current_period_start' | 'current_period_end',
  range: Record<string, number | undefined> = {},
) =>
  Object.entries({ gt: '>', gte: '>=', lt: '<', lte: '<=' }).flatMap(([name, operator]): Condition[] =>
    range[name] === undefined
      ? []
      : [
          {
            sql: (at) => `exists (select from jsonb_array_elements(doc->'items'->'data') item
              where (item->>'${field}')::bigint ${operator} ${at})`,
            value: range[name],
          },
        ],
  )

const listShape = {
  ...page,
  automatic_tax: unsupported(),
  collection_method: oneOf('charge_automatically', 'send_invoice'),
  created: created(),
  current_period_start: created(),
  current_period_end: created(),
  customer: str(),
  customer_account: unsupported(),
  plan: str(),
  price: str(),
  status: oneOf(...statuses),
  test_clock: unsupported(),
}

export const subscriptionReads: Route[] = [
  readRoute(
    { name: 'subscriptions.list', path: '/v1/subscriptions', kind: 'subscription', list: true, shape: listShape },
    ({ read, params }) =>
      listPage(read, {
        kind: 'subscription',
        url: '/v1/subscriptions',
        params,
        conditions: [
          ...equals('customer', params.customer),
          ...statusCondition(params.status),
          ...withPrice(params.price ?? params.plan),
          ...(params.collection_method
            ? [{ sql: (at: string) => `doc->>'collection_method' = ${at}`, value: params.collection_method }]
            : []),
          ...periodFilter('current_period_start', params.current_period_start),
          ...periodFilter('current_period_end', params.current_period_end),
          ...within(params.created),
        ],
      }),
  ),
  readRoute(
    { name: 'subscriptions.retrieve', path: '/v1/subscriptions/:id', kind: 'subscription', shape: {} },
    async ({ read, id }) => shown('subscription', await theOne(read, 'subscription', id)),
  ),
  readRoute(
    {
      name: 'subscriptionItems.list',
      path: '/v1/subscription_items',
      kind: 'subscription_item',
      list: true,
      shape: { ...page, subscription: required(str()) },
    },
    async ({ read, params }) => {
      const subscription = await theOne(read, 'subscription', params.subscription, 'subscription', 400)
      const items = subscription.items.data.map(presentItem)
      return innerPage('subscription_item', items, params, '/v1/subscription_items')
    },
  ),
  readRoute(
    {
      name: 'customers.listSubscriptions',
      path: '/v1/customers/:id/subscriptions',
      kind: 'subscription',
      list: true,
      shape: { ...page, status: oneOf(...statuses) },
    },
    ({ read, id, params }) =>
      listPage(read, {
        kind: 'subscription',
        url: `/v1/customers/${id}/subscriptions`,
        params,
        conditions: [...equals('customer', id), ...statusCondition(params.status)],
      }),
  ),
]

export const subscriptionEnds: Route[] = [
  writeRoute(
    {
      name: 'subscriptions.cancel',
      method: 'DELETE',
      path: '/v1/subscriptions/:id',
      kind: 'subscription',
      shape: { cancellation_details: details, invoice_now: bool(), prorate: bool() },
    },
    async ({ world, id, params }) => {
      const subscription = await world.get('subscription', id)
      if (!subscription || isEnded(subscription)) throw noSuch('subscription', id)
      const cancelled = await cancelSubscription(world, id, {
        reason: 'cancellation_requested',
        prorate: params.prorate ?? false,
        invoiceNow: params.invoice_now ?? false,
        comment: params.cancellation_details?.comment ?? null,
        feedback: params.cancellation_details?.feedback ?? null,
      })
      return shown('subscription', cancelled)
    },
  ),
  writeRoute(
    {
      name: 'subscriptions.pause',
      path: '/v1/subscriptions/:id/pause',
      kind: 'subscription',
      shape: { bill_for: unsupported(), invoicing_behavior: unsupported() },
    },
    async ({ world, id }) => {
      const subscription = await world.get('subscription', id)
      if (!subscription) throw noSuch('subscription', id)
      if (!['active', 'trialing'].includes(subscription.status)) {
        throw refused(`A subscription in status ${subscription.status} cannot be paused.`)
      }
      return shown('subscription', await pauseSubscription(world, id))
    },
  ),
  writeRoute(
    {
      name: 'subscriptions.resume',
      path: '/v1/subscriptions/:id/resume',
      kind: 'subscription',
      shape: {
        billing_cycle_anchor: unsupported(),
        payment_behavior: unsupported(),
        proration_behavior: unsupported(),
        proration_date: unsupported(),
      },
    },
    async ({ world, id }) => {
      const subscription = await world.get('subscription', id)
      if (!subscription) throw noSuch('subscription', id)
      if (subscription.status !== 'paused') throw refused('Only paused subscriptions can be resumed.')
      return shown('subscription', await resumePaused(world, id))
    },
  ),
]
