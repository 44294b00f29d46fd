import { noSuch, refused } from '../../http/errors.ts'
import { showSessionLine } from '../../http/includes.ts'
import { docEquals, equals, innerPage, listPage, theOne, within } from '../../http/list.ts'
import { created, hash, oneOf, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { expireSession } from '../rules/checkout.ts'

export const checkoutSessions: Route[] = [
  readRoute(
    {
      name: 'checkout.sessions.list',
      path: '/v1/checkout/sessions',
      kind: 'checkout.session',
      list: true,
      shape: {
        ...page,
        created: created(),
        customer: str(),
        customer_account: unsupported(),
        customer_details: hash({ email: str() }),
        payment_intent: str(),
        payment_link: str(),
        status: oneOf('complete', 'expired', 'open'),
        subscription: str(),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'checkout.session',
        url: '/v1/checkout/sessions',
        params,
        conditions: [
          ...equals('customer', params.customer),
          ...equals('payment_intent', params.payment_intent),
          ...equals('subscription', params.subscription),
          ...equals('tag', params.status),
          ...docEquals('customer_details,email', params.customer_details?.email),
          ...docEquals('payment_link', params.payment_link),
          ...within(params.created),
        ],
      }),
  ),
  readRoute(
    { name: 'checkout.sessions.retrieve', path: '/v1/checkout/sessions/:id', kind: 'checkout.session', shape: {} },
    async ({ read, id }) => shown('checkout.session', await theOne(read, 'checkout.session', id)),
  ),
  readRoute(
    {
      name: 'checkout.sessions.listLineItems',
      path: '/v1/checkout/sessions/:id/line_items',
      kind: 'item',
      list: true,
      shape: page,
    },
    async ({ read, id, params }) => {
      const session = await theOne(read, 'checkout.session', id)
      const lines = (session.line_items?.data ?? []).map(showSessionLine)
      return innerPage('item', lines, params, `/v1/checkout/sessions/${id}/line_items`)
    },
  ),
  writeRoute(
    {
      name: 'checkout.sessions.expire',
      path: '/v1/checkout/sessions/:id/expire',
      kind: 'checkout.session',
      shape: {},
    },
    async ({ world, id }) => {
      const session = await world.get('checkout.session', id)
      if (!session) throw noSuch('checkout.session', id)
      if (session.status !== 'open') {
        throw refused(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
        )
      }
      await expireSession(world, id)
      return shown('checkout.session', await world.need('checkout.session', id))
    },
  ),
]
