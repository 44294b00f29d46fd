import { noSuch } from '../../http/errors.ts'
import { equals, listPage, within } from '../../http/list.ts'
import { created, page, str } from '../../http/params.ts'
import { type Route, readRoute } from '../../http/route.ts'
import { shownEntry } from '../../http/show.ts'

export const customerReads: Route[] = [
  readRoute(
    {
      name: 'customers.list',
      path: '/v1/customers',
      kind: 'customer',
      list: true,
      shape: { ...page, created: created(), email: str(512), test_clock: str() },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'customer',
        url: '/v1/customers',
        params,
        conditions: [...equals('email', params.email), ...within(params.created)],
      }),
  ),
  readRoute(
    { name: 'customers.retrieve', path: '/v1/customers/:id', kind: 'customer', shape: {} },
    async ({ read, id }) => {
      const entry = await read.one('customer', id)
      if (!entry) throw noSuch('customer', id)
      return { type: 'object', kind: 'customer', body: shownEntry(entry) }
    },
  ),
]
