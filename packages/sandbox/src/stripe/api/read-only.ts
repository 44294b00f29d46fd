import { noSuch } from '../../http/errors.ts'
import { docEquals, equals, listPage, theOne, within } from '../../http/list.ts'
import { bool, created, hash, list, oneOf, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown } from '../../http/route.ts'
import type { Kind } from '../types.ts'

const retrieve = (kind: Kind, path: string, name: string): Route =>
  readRoute({ name, path: `${path}/:id`, kind, shape: {} }, async ({ read, id }) =>
    shown(kind, await theOne(read, kind, id)),
  )

export const paymentIntents: Route[] = [
  readRoute(
    {
      name: 'paymentIntents.list',
      path: '/v1/payment_intents',
      kind: 'payment_intent',
      list: true,
      shape: { ...page, created: created(), customer: str(), customer_account: unsupported() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'payment_intent',
        url: '/v1/payment_intents',
        params,
        conditions: [...equals('customer', params.customer), ...within(params.created)],
      }),
  ),
  readRoute(
    {
      name: 'paymentIntents.retrieve',
      path: '/v1/payment_intents/:id',
      kind: 'payment_intent',
      shape: { client_secret: unsupported() },
    },
    async ({ read, id }) => shown('payment_intent', await theOne(read, 'payment_intent', id)),
  ),
]

export const charges: Route[] = [
  readRoute(
    {
      name: 'charges.list',
      path: '/v1/charges',
      kind: 'charge',
      list: true,
      shape: { ...page, created: created(), customer: str(), payment_intent: str(), transfer_group: str() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'charge',
        url: '/v1/charges',
        params,
        conditions: [
          ...equals('customer', params.customer),
          ...equals('payment_intent', params.payment_intent),
          ...docEquals('transfer_group', params.transfer_group),
          ...within(params.created),
        ],
      }),
  ),
  retrieve('charge', '/v1/charges', 'charges.retrieve'),
  readRoute(
    { name: 'charges.listRefunds', path: '/v1/charges/:id/refunds', kind: 'refund', list: true, shape: page },
    async ({ read, id, params }) => {
      await theOne(read, 'charge', id)
      const url = `/v1/charges/${id}/refunds`
      return await listPage(read, { kind: 'refund', url, params, conditions: equals('charge', id) })
    },
  ),
]

export const invoicePayments: Route[] = [
  readRoute(
    {
      name: 'invoicePayments.list',
      path: '/v1/invoice_payments',
      kind: 'invoice_payment',
      list: true,
      shape: {
        ...page,
        created: created(),
        invoice: str(),
        payment: hash({
          type: oneOf('payment_intent', 'payment_record', 'charge'),
          payment_intent: str(),
          payment_record: unsupported(),
        }),
        status: oneOf('canceled', 'open', 'paid'),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'invoice_payment',
        url: '/v1/invoice_payments',
        params,
        conditions: [
          ...equals('invoice', params.invoice),
          ...equals('tag', params.status),
          ...equals('payment_intent', params.payment?.payment_intent),
          ...docEquals('payment,type', params.payment?.type),
          ...within(params.created),
        ],
      }),
  ),
  retrieve('invoice_payment', '/v1/invoice_payments', 'invoicePayments.retrieve'),
]

const eventDays = 30

export const events: Route[] = [
  readRoute(
    {
      name: 'events.list',
      path: '/v1/events',
      kind: 'event',
      list: true,
      shape: { ...page, created: created(), type: str(), types: list(str()), delivery_success: bool() },
    },
    ({ read, params, now }) =>
      listPage(read, {
        kind: 'event',
        url: '/v1/events',
        params,
        conditions: [
          { sql: (at) => `created > ${at}`, value: now - eventDays * 86_400 },
          ...equals('tag', params.type),
          ...(params.types ? [{ sql: (at: string) => `tag = any(${at})`, value: params.types }] : []),
          ...(params.delivery_success === undefined
            ? []
            : [{ sql: (at: string) => `(doc->>'pending_webhooks' = '0') = ${at}`, value: params.delivery_success }]),
          ...within(params.created),
        ],
      }),
  ),
  readRoute(
    { name: 'events.retrieve', path: '/v1/events/:id', kind: 'event', shape: {} },
    async ({ read, id, now }) => {
      const event = await theOne(read, 'event', id)
      if (event.created <= now - eventDays * 86_400) throw noSuch('event', id)
      return shown('event', event)
    },
  ),
]
