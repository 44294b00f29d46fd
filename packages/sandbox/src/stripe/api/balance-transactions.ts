import { badValue, noSuch, refused } from '../../http/errors.ts'
import { equals, listPage, theOne, within } from '../../http/list.ts'
import { created, emptyable, int, mergeMetadata, metadata, page, required, str } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'

const path = '/v1/customers/:id/balance_transactions'
const kind = 'customer_balance_transaction' as const

/** What is credited to a customer, or owed by them, before the next invoice. */
export const balanceTransactions: Route[] = [
  readRoute(
    {
      name: 'customers.listBalanceTransactions',
      path,
      kind,
      list: true,
      shape: { ...page, created: created(), invoice: str() },
    },
    async ({ read, id, params }) => {
      await theOne(read, 'customer', id)
      return listPage(read, {
        kind,
        url: path.replace(':id', id),
        params,
        conditions: [...equals('customer', id), ...equals('invoice', params.invoice), ...within(params.created)],
      })
    },
  ),
  readRoute(
    { name: 'customers.retrieveBalanceTransaction', path: `${path}/:sub`, kind, shape: {} },
    async ({ read, id, sub }) => {
      const found = await theOne(read, kind, sub)
      if (found.customer !== id) throw noSuch(kind, sub)
      return shown(kind, found)
    },
  ),
  writeRoute(
    {
      name: 'customers.createBalanceTransaction',
      path,
      kind,
      shape: {
        amount: required(int()),
        currency: required(str(3)),
        description: emptyable(str(350)),
        metadata: metadata(),
      },
    },
    async ({ world, id, params }) => {
      const customer = await world.get('customer', id)
      if (!customer) throw noSuch('customer', id)
      if (params.amount === 0) throw badValue('Invalid non-zero integer', 'amount', 'parameter_invalid_integer')
      const currency = params.currency.toLowerCase()
      if (customer.currency && customer.currency !== currency)
        throw refused(
          `You cannot combine currencies on a single customer. This customer has had a subscription, coupon, or invoice item with currency ${customer.currency}`,
          undefined,
          'currency',
        )
      const ending = customer.balance + params.amount
      await world.change(
        'customer',
        id,
        (draft) => {
          draft.balance = ending
          draft.currency ??= currency
        },
        'customer.updated',
      )
      const made = {
        id: world.newId('cbtxn'),
        object: kind,
        amount: params.amount,
        checkout_session: null,
        created: world.now,
        credit_note: null,
        currency,
        customer: id,
        customer_account: null,
        description: params.description ?? null,
        ending_balance: ending,
        invoice: null,
        livemode: false,
        metadata: mergeMetadata({}, params.metadata),
        type: 'adjustment' as const,
      }
      world.insert(kind, made)
      return shown(kind, made)
    },
  ),
]
