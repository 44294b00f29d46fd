import { badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import { equals, listPage, theOne, within } from '../../http/list.ts'
import {
  bool,
  created,
  decimal,
  hash,
  int,
  mergeMetadata,
  metadata,
  type Params,
  page,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { priceAmount, roundAmount } from '../../world/money.ts'
import type { World } from '../../world/world.ts'
import { makeInvoiceItem } from '../objects/invoice.ts'
import { pendingLine, settleLines } from '../rules/invoice-lines.ts'
import { amountsDue } from '../rules/invoices.ts'
import type { Invoice, InvoiceItem, InvoiceLine } from '../types.ts'

const createShape = {
  amount: int(),
  currency: str(3),
  customer: required(str()),
  description: str(5000),
  discountable: bool(),
  discounts: unsupported(),
  invoice: str(),
  metadata: metadata(),
  period: hash({ start: required(int(0)), end: required(int(0)) }),
  pricing: hash({ price: str() }),
  price_data: unsupported(),
  quantity: int(0),
  subscription: str(),
  unit_amount_decimal: decimal(),
}
type CreateParams = Params<typeof createShape>

/** Either the whole amount, or that of one and how many of them. */
function freeAmount({ amount, unit_amount_decimal: unit }: CreateParams, quantity: number): number {
  if (amount !== undefined && unit !== undefined)
    throw badValue('You may only specify one of these parameters: amount, unit_amount_decimal.', 'amount')
  if (unit !== undefined) return roundAmount(Number(unit) * quantity)
  if (amount === undefined) throw missingParameter('amount')
  return amount
}

async function buildItem(world: World, params: CreateParams): Promise<InvoiceItem> {
  const priceId = params.pricing?.price
  const price = priceId ? await world.get('price', priceId) : undefined
  if (priceId && !price) throw noSuch('price', priceId, 'pricing[price]', 400)
  if (price?.recurring)
    throw badValue('The price specified is recurring; this field only accepts one-time prices.', 'pricing[price]')
  const quantity = params.quantity ?? 1
  const amount = price ? priceAmount(price, quantity) : freeAmount(params, quantity)
  const customer = await world.need('customer', params.customer)
  return makeInvoiceItem({
    id: world.newId('ii'),
    created: world.now,
    customer: params.customer,
    amount,
    currency: price?.currency ?? params.currency?.toLowerCase() ?? customer.currency ?? 'usd',
    description: params.description ?? null,
    quantity,
    unitAmountDecimal:
      price?.unit_amount_decimal ?? params.unit_amount_decimal ?? String(amount / Math.max(1, quantity)),
    price: price ? { price: price.id, product: price.product } : null,
    period: params.period ?? { start: world.now, end: world.now },
    proration: false,
    discountable: params.discountable ?? true,
    subscription: params.subscription ?? null,
    invoice: params.invoice ?? null,
    metadata: mergeMetadata({}, params.metadata),
  })
}

/** A draft takes the item as a line at once. */
async function addToDraft(world: World, item: InvoiceItem, invoiceId: string): Promise<void> {
  const invoice = await world.get('invoice', invoiceId)
  if (!invoice) throw noSuch('invoice', invoiceId, 'invoice', 400)
  if (invoice.status !== 'draft')
    throw refused('Invoice is not editable, because it is no longer a draft.', 'invoice_not_editable')
  if (invoice.currency !== item.currency)
    throw badValue(
      `The invoice is in ${invoice.currency}; an item in ${item.currency} cannot be added to it.`,
      'currency',
    )
  const line = { ...pendingLine(world, item), invoice: invoiceId }
  await replaceLines(world, invoice, [...invoice.lines.data, line])
}

/** The lines of a draft with what they then add up to. */
async function replaceLines(world: World, invoice: Invoice, wanted: InvoiceLine[]): Promise<void> {
  const customer = await world.need('customer', invoice.customer as string)
  const lines = wanted.map((line) => ({ ...line, discount_amounts: [] }))
  const owner = invoice.parent?.subscription_details?.subscription
  const subscription = owner ? ((await world.get('subscription', owner)) ?? null) : null
  const { totals } = await settleLines(world, customer, subscription, lines)
  await world.change(
    'invoice',
    invoice.id,
    (draft) => {
      draft.lines.data = lines
      Object.assign(draft, totals)
      Object.assign(draft, amountsDue(draft, customer))
    },
    'invoice.updated',
  )
}

/** Only a draft gives a line back. */
async function takeFromDraft(world: World, item: InvoiceItem, invoiceId: string): Promise<void> {
  const invoice = await world.get('invoice', invoiceId)
  if (invoice?.status !== 'draft') throw refused('This invoice item belongs to an invoice and cannot be deleted.')
  const lines = invoice.lines.data.filter(({ parent }) => parent?.invoice_item_details?.invoice_item !== item.id)
  await replaceLines(world, invoice, lines)
}

export const invoiceItems: Route[] = [
  readRoute(
    {
      name: 'invoiceItems.list',
      path: '/v1/invoiceitems',
      kind: 'invoiceitem',
      list: true,
      shape: {
        ...page,
        created: created(),
        customer: str(),
        customer_account: unsupported(),
        invoice: str(),
        pending: bool(),
      },
    },
    ({ read, params }) =>
      listPage(read, {
        kind: 'invoiceitem',
        url: '/v1/invoiceitems',
        params,
        conditions: [
          ...equals('customer', params.customer),
          ...equals('invoice', params.invoice),
          ...(params.pending === undefined
            ? []
            : [{ sql: (at: string) => `(invoice is null) = ${at}`, value: params.pending }]),
          ...within(params.created),
        ],
      }),
  ),
  readRoute(
    { name: 'invoiceItems.retrieve', path: '/v1/invoiceitems/:id', kind: 'invoiceitem', shape: {} },
    async ({ read, id }) => shown('invoiceitem', await theOne(read, 'invoiceitem', id)),
  ),
  writeRoute(
    { name: 'invoiceItems.create', path: '/v1/invoiceitems', kind: 'invoiceitem', shape: createShape },
    async ({ world, params }) => {
      if (!(await world.get('customer', params.customer))) throw noSuch('customer', params.customer, 'customer', 400)
      const item = await buildItem(world, params)
      world.insert('invoiceitem', item, { event: 'invoiceitem.created' })
      if (params.invoice) await addToDraft(world, item, params.invoice)
      return shown('invoiceitem', item)
    },
  ),
  writeRoute(
    { name: 'invoiceItems.del', method: 'DELETE', path: '/v1/invoiceitems/:id', kind: 'invoiceitem', shape: {} },
    async ({ world, id }) => {
      const item = await world.get('invoiceitem', id)
      if (!item) throw noSuch('invoiceitem', id)
      if (item.invoice) await takeFromDraft(world, item, item.invoice)
      await world.remove('invoiceitem', id, 'invoiceitem.deleted')
      return { type: 'object', kind: 'other', body: { id, object: 'invoiceitem', deleted: true } }
    },
  ),
]
