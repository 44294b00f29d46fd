import { docEquals, equals, listPage, theOne, within } from '../../http/list.ts'
import { bool, created, hash, list, oneOf, page, str } from '../../http/params.ts'
import { type Route, readRoute, shown } from '../../http/route.ts'

export const catalogueReads: Route[] = [
  readRoute(
    {
      name: 'products.list',
      path: '/v1/products',
      kind: 'product',
      list: true,
      shape: {
        ...page,
        active: bool(),
        created: created(),
        ids: list(str()),
        shippable: bool(),
        type: str(),
        url: str(),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'product',
        url: '/v1/products',
        params,
        conditions: [
          ...docEquals('active', params.active),
          ...docEquals('shippable', params.shippable),
          ...docEquals('url', params.url),
          ...docEquals('type', params.type),
          ...(params.ids ? [{ sql: (at: string) => `id = any(${at})`, value: params.ids }] : []),
          ...within(params.created),
        ],
      }),
  ),
  readRoute({ name: 'products.retrieve', path: '/v1/products/:id', kind: 'product', shape: {} }, async ({ read, id }) =>
    shown('product', await theOne(read, 'product', id)),
  ),
  readRoute(
    {
      name: 'prices.list',
      path: '/v1/prices',
      kind: 'price',
      list: true,
      shape: {
        ...page,
        active: bool(),
        created: created(),
        currency: str(),
        lookup_keys: list(str()),
        product: str(),
        recurring: hash({
          interval: oneOf('day', 'month', 'week', 'year'),
          meter: str(),
          usage_type: oneOf('licensed', 'metered'),
        }),
        type: oneOf('one_time', 'recurring'),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'price',
        url: '/v1/prices',
        params,
        conditions: [
          ...equals('product', params.product),
          ...docEquals('active', params.active),
          ...docEquals('currency', params.currency),
          ...docEquals('type', params.type),
          ...docEquals('recurring,interval', params.recurring?.interval),
          ...docEquals('recurring,usage_type', params.recurring?.usage_type),
          ...docEquals('recurring,meter', params.recurring?.meter),
          ...(params.lookup_keys
            ? [{ sql: (at: string) => `doc->>'lookup_key' = any(${at})`, value: params.lookup_keys }]
            : []),
          ...within(params.created),
        ],
      }),
  ),
  readRoute({ name: 'prices.retrieve', path: '/v1/prices/:id', kind: 'price', shape: {} }, async ({ read, id }) =>
    shown('price', await theOne(read, 'price', id)),
  ),
  readRoute(
    { name: 'coupons.list', path: '/v1/coupons', kind: 'coupon', list: true, shape: { ...page, created: created() } },
    ({ read, params }) =>
      listPage(read, { kind: 'coupon', url: '/v1/coupons', params, conditions: within(params.created) }),
  ),
  readRoute({ name: 'coupons.retrieve', path: '/v1/coupons/:id', kind: 'coupon', shape: {} }, async ({ read, id }) =>
    shown('coupon', await theOne(read, 'coupon', id)),
  ),
]
