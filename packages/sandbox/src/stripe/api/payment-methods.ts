import { noSuch } from '../../http/errors.ts'
import { equals, listPage, theOne } from '../../http/list.ts'
import { page, required, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { attachMethod } from '../rules/test-cards.ts'

export const paymentMethods: Route[] = [
  readRoute(
    {
      name: 'paymentMethods.list',
      path: '/v1/payment_methods',
      kind: 'payment_method',
      list: true,
      shape: { ...page, customer: str(), type: str(), customer_account: unsupported(), allow_redisplay: unsupported() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'payment_method',
        url: '/v1/payment_methods',
        params,
        conditions: [...equals('customer', params.customer), ...equals('tag', params.type)],
      }),
  ),
  readRoute(
    {
      name: 'customers.listPaymentMethods',
      path: '/v1/customers/:id/payment_methods',
      kind: 'payment_method',
      list: true,
      shape: { ...page, type: str(), allow_redisplay: unsupported() },
    },
    ({ read, id, params }) =>
      listPage(read, {
        kind: 'payment_method',
        url: `/v1/customers/${id}/payment_methods`,
        params,
        conditions: [...equals('customer', id), ...equals('tag', params.type)],
      }),
  ),
  readRoute(
    { name: 'paymentMethods.retrieve', path: '/v1/payment_methods/:id', kind: 'payment_method', shape: {} },
    async ({ read, id }) => shown('payment_method', await theOne(read, 'payment_method', id)),
  ),
  writeRoute(
    {
      name: 'paymentMethods.attach',
      path: '/v1/payment_methods/:id/attach',
      kind: 'payment_method',
      shape: { customer: required(str()) },
    },
    async ({ world, id, params }) => {
      const customer = await world.get('customer', params.customer)
      if (!customer) throw noSuch('customer', params.customer, 'customer', 400)
      const method = await attachMethod(world, customer, id)
      if (!method) throw noSuch('payment_method', id)
      return shown('payment_method', method)
    },
  ),
]
