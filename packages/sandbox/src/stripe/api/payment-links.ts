import { badValue, noSuch, refused } from '../../http/errors.ts'
import { showSessionLine } from '../../http/includes.ts'
import { docEquals, innerPage, listPage, theOne } from '../../http/list.ts'
import {
  bool,
  hash,
  int,
  list,
  mergeMetadata,
  metadata,
  type Params,
  page,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { priceAmount } from '../../world/money.ts'
import type { World } from '../../world/world.ts'
import { makeSessionLine } from '../objects/checkout.ts'
import { makePaymentLink, recurs } from '../objects/payment-link.ts'
import { isMetered } from '../rules/invoice-lines.ts'
import type { PaymentLink, Price, SessionLine } from '../types.ts'

const url = '/v1/payment_links'

/** Of both a new link and a changed one. */
const notImitated = {
  after_completion: unsupported(),
  automatic_tax: unsupported(),
  billing_address_collection: unsupported(),
  custom_fields: unsupported(),
  custom_text: unsupported(),
  customer_creation: unsupported(),
  inactive_message: unsupported(),
  invoice_creation: unsupported(),
  name_collection: unsupported(),
  optional_items: unsupported(),
  payment_intent_data: unsupported(),
  payment_method_collection: unsupported(),
  payment_method_options: unsupported(),
  payment_method_types: unsupported(),
  phone_number_collection: unsupported(),
  restrictions: unsupported(),
  shipping_address_collection: unsupported(),
  submit_type: unsupported(),
  tax_id_collection: unsupported(),
}

const lineItem = hash({
  price: required(str()),
  price_data: unsupported(),
  quantity: required(int(1)),
  adjustable_quantity: hash({ enabled: required(bool()), minimum: int(0), maximum: int(1, 999_999) }),
})

const createShape = {
  ...notImitated,
  line_items: required(list(lineItem)),
  allow_promotion_codes: bool(),
  application_fee_amount: unsupported(),
  application_fee_percent: unsupported(),
  consent_collection: unsupported(),
  currency: unsupported(),
  managed_payments: unsupported(),
  metadata: metadata(),
  on_behalf_of: unsupported(),
  shipping_options: unsupported(),
  subscription_data: hash({
    description: unsupported(),
    invoice_settings: unsupported(),
    metadata: unsupported(),
    trial_period_days: int(1, 730),
    trial_settings: unsupported(),
  }),
  transfer_data: unsupported(),
}
type CreateParams = Params<typeof createShape>
type LineParams = CreateParams['line_items'][number]

const mostLines = 20
const mostAdjustable = 99

async function priceOf(world: World, id: string, param: string): Promise<Price> {
  const price = await world.get('price', id)
  if (!price) throw noSuch('price', id, param, 400)
  const product = await world.get('product', price.product)
  if (!price.active || !product?.active)
    throw refused('The price specified is inactive. This field only accepts active prices.', undefined, param)
  if (isMetered(price)) throw badValue('The sandbox does not imitate metered prices here', param, 'sandbox_unsupported')
  return price
}

function adjustableOf({ adjustable_quantity: given, quantity }: LineParams, param: string) {
  if (!given?.enabled) return null
  const { minimum = 0, maximum = mostAdjustable } = given
  if (minimum > maximum)
    throw badValue('The minimum must not be more than the maximum.', `${param}[adjustable_quantity][minimum]`)
  if (quantity < minimum || quantity > maximum)
    throw badValue(`The quantity must be between ${minimum} and ${maximum}.`, `${param}[quantity]`)
  return { enabled: true, minimum, maximum }
}

async function lineOf(world: World, item: LineParams, param: string): Promise<SessionLine> {
  const price = await priceOf(world, item.price, `${param}[price]`)
  const product = await world.need('product', price.product)
  const line = makeSessionLine({
    ...{ id: world.newId('li'), price, quantity: item.quantity, description: product.name, discount: 0 },
  })
  const amount = priceAmount(price, item.quantity)
  return {
    ...line,
    amount_subtotal: amount,
    amount_total: amount,
    adjustable_quantity: adjustableOf(item, param),
  }
}

const periodOf = ({ price }: SessionLine): string | null =>
  price?.recurring ? `${price.recurring.interval} ${price.recurring.interval_count}` : null

function checkTogether(lines: readonly SessionLine[]): void {
  if (new Set(lines.map(({ currency }) => currency)).size > 1)
    throw refused('All prices on a payment link must use the same currency.', undefined, 'line_items')
  const periods = lines.map(periodOf).filter((period) => period !== null)
  if (new Set(periods).size > 1)
    throw refused('All recurring prices must have the same interval.', undefined, 'line_items')
}

async function create(world: World, params: CreateParams): Promise<PaymentLink> {
  const { line_items: wanted, subscription_data: subscription } = params
  if (wanted.length === 0 || wanted.length > mostLines)
    throw badValue(`Between 1 and ${mostLines} line items are supported.`, 'line_items')
  const lines: SessionLine[] = []
  for (const [index, item] of wanted.entries()) lines.push(await lineOf(world, item, `line_items[${index}]`))
  checkTogether(lines)
  if (subscription && !recurs(lines))
    throw badValue('You can only use `subscription_data` with recurring prices.', 'subscription_data')
  const link = makePaymentLink({
    id: world.newId('plink'),
    code: world.ids.text(18),
    lines,
    allowPromotionCodes: params.allow_promotion_codes ?? false,
    trialDays: subscription?.trial_period_days ?? null,
    metadata: mergeMetadata({}, params.metadata),
  })
  return world.insert('payment_link', link, { event: 'payment_link.created' })
}

export const paymentLinks: Route[] = [
  readRoute(
    { name: 'paymentLinks.list', path: url, kind: 'payment_link', list: true, shape: { ...page, active: bool() } },
    ({ read, params }) =>
      listPage(read, { kind: 'payment_link', url, params, conditions: docEquals('active', params.active) }),
  ),
  readRoute(
    { name: 'paymentLinks.retrieve', path: `${url}/:id`, kind: 'payment_link', shape: {} },
    async ({ read, id }) => shown('payment_link', await theOne(read, 'payment_link', id)),
  ),
  readRoute(
    { name: 'paymentLinks.listLineItems', path: `${url}/:id/line_items`, kind: 'item', list: true, shape: page },
    async ({ read, id, params }) => {
      const link = await theOne(read, 'payment_link', id)
      const lines = (link.line_items?.data ?? []).map(showSessionLine)
      return innerPage('item', lines, params, `${url}/${id}/line_items`)
    },
  ),
  writeRoute(
    { name: 'paymentLinks.create', path: url, kind: 'payment_link', shape: createShape },
    async ({ world, params }) => shown('payment_link', await create(world, params)),
  ),
  writeRoute(
    {
      name: 'paymentLinks.update',
      path: `${url}/:id`,
      kind: 'payment_link',
      shape: {
        ...notImitated,
        active: bool(),
        allow_promotion_codes: bool(),
        line_items: unsupported(),
        metadata: metadata(),
        subscription_data: unsupported(),
      },
    },
    async ({ world, id, params }) => {
      if (!(await world.get('payment_link', id))) throw noSuch('payment_link', id)
      const changed = await world.change(
        'payment_link',
        id,
        (draft) => {
          draft.active = params.active ?? draft.active
          draft.allow_promotion_codes = params.allow_promotion_codes ?? draft.allow_promotion_codes
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        'payment_link.updated',
      )
      return shown('payment_link', changed)
    },
  ),
]
