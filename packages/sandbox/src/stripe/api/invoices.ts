import { docEquals, equals, innerPage, listPage, theOne, within } from '../../http/list.ts'
import { created, oneOf, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown } from '../../http/route.ts'

export const invoiceReads: Route[] = [
  readRoute(
    {
      name: 'invoices.list',
      path: '/v1/invoices',
      kind: 'invoice',
      list: true,
      shape: {
        ...page,
        collection_method: oneOf('charge_automatically', 'send_invoice'),
        created: created(),
        customer: str(),
        customer_account: unsupported(),
        due_date: created(),
        status: oneOf('draft', 'open', 'paid', 'uncollectible', 'void'),
        subscription: str(),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'invoice',
        url: '/v1/invoices',
        params,
        conditions: [
          ...equals('customer', params.customer),
          ...equals('subscription', params.subscription),
          ...equals('tag', params.status),
          ...docEquals('collection_method', params.collection_method),
          ...within(params.created),
          ...within(params.due_date, 'due_date'),
        ],
      }),
  ),
  readRoute({ name: 'invoices.retrieve', path: '/v1/invoices/:id', kind: 'invoice', shape: {} }, async ({ read, id }) =>
    shown('invoice', await theOne(read, 'invoice', id)),
  ),
  readRoute(
    { name: 'invoices.listLineItems', path: '/v1/invoices/:id/lines', kind: 'line_item', list: true, shape: page },
    async ({ read, id, params }) => {
      const invoice = await theOne(read, 'invoice', id)
      return innerPage('line_item', invoice.lines.data, params, `/v1/invoices/${id}/lines`)
    },
  ),
]
