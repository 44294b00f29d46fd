import { badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import { docEquals, equals, listPage, theOne, within } from '../../http/list.ts'
import {
  bool,
  created,
  decimal,
  emptyable,
  hash,
  int,
  list,
  mergeMetadata,
  metadata,
  moment,
  oneOf,
  type Params,
  page,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { World } from '../../world/world.ts'
import { makePrice, makeProduct, type PriceInput } from '../objects/catalogue.ts'
import { spreadPrice } from '../rules/reprice.ts'
import type { Price } from '../types.ts'

const tier = hash({
  flat_amount: int(0),
  flat_amount_decimal: unsupported(),
  unit_amount: int(0),
  unit_amount_decimal: decimal(),
  up_to: required(moment('inf')),
})

const createShape = {
  active: bool(),
  billing_scheme: oneOf('per_unit', 'tiered'),
  currency: required(str(3)),
  currency_options: unsupported(),
  custom_unit_amount: unsupported(),
  lookup_key: str(200),
  metadata: metadata(),
  nickname: str(5000),
  product: str(),
  product_data: hash({ id: str(), name: required(str()), metadata: metadata(), active: bool(), unit_label: str() }),
  recurring: hash({
    interval: required(oneOf('day', 'month', 'week', 'year')),
    interval_count: int(1),
    meter: str(),
    trial_period_days: unsupported(),
    usage_type: oneOf('licensed', 'metered'),
  }),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  tiers: list(tier),
  tiers_mode: oneOf('graduated', 'volume'),
  transfer_lookup_key: bool(),
  transform_quantity: hash({ divide_by: required(int(1)), round: required(oneOf('down', 'up')) }),
  unit_amount: int(0),
  unit_amount_decimal: decimal(),
}
type CreateParams = Params<typeof createShape>

/** A lookup key names one price; it is taken from another only where that is said. */
async function takeLookupKey(world: World, key: string, transfers: boolean | undefined, but?: string): Promise<void> {
  const [holder] = (await world.find('price', {})).filter((price) => price.lookup_key === key && price.id !== but)
  if (!holder) return
  if (!transfers)
    throw refused(`A price (\`${holder.id}\`) already uses that lookup key.`, 'resource_already_exists', 'lookup_key')
  await spreadEverywhere(world, await world.change('price', holder.id, { lookup_key: null }, 'price.updated'))
}

async function spreadEverywhere(world: World, price: Price): Promise<void> {
  const carriers = (await world.find('subscription', {})).filter(({ items }) =>
    items.data.some((item) => item.price.id === price.id),
  )
  await spreadPrice(
    world,
    price,
    carriers.map(({ id }) => id),
  )
}

async function productFor(world: World, params: CreateParams): Promise<string> {
  if (params.product) {
    if (!(await world.get('product', params.product))) throw noSuch('product', params.product, 'product', 400)
    return params.product
  }
  if (!params.product_data) throw missingParameter('product')
  const { product_data: data } = params
  const product = makeProduct({
    id: data.id ?? world.newId('prod'),
    created: world.now,
    name: data.name,
    active: data.active ?? true,
    metadata: mergeMetadata({}, data.metadata),
    unitLabel: data.unit_label ?? null,
  })
  return world.insert('product', product, { event: 'product.created' }).id
}

function recurringOf({ recurring }: CreateParams): PriceInput['recurring'] {
  if (!recurring) return undefined
  const metered = recurring.usage_type === 'metered'
  if (metered && !recurring.meter) throw missingParameter('recurring[meter]')
  return {
    interval: recurring.interval,
    count: recurring.interval_count ?? 1,
    ...(metered && recurring.meter ? { metered: recurring.meter } : {}),
  }
}

function tiersOf({ billing_scheme, tiers, tiers_mode }: CreateParams): PriceInput['tiers'] {
  if (billing_scheme !== 'tiered') return undefined
  if (!tiers) throw missingParameter('tiers')
  if (!tiers_mode) throw missingParameter('tiers_mode')
  const steps = tiers.map(({ up_to, unit_amount, unit_amount_decimal, flat_amount }) => ({
    upTo: up_to === 'inf' ? null : Number(up_to),
    unit: unit_amount ?? Number(unit_amount_decimal ?? 0),
    ...(flat_amount === undefined ? {} : { flat: flat_amount }),
  }))
  if (steps.at(-1)?.upTo !== null) throw badValue('The last tier must have up_to set to inf.', 'tiers')
  return { mode: tiers_mode, steps }
}

export async function createPrice(world: World, params: CreateParams): Promise<Price> {
  const tiers = tiersOf(params)
  if (!tiers && params.unit_amount === undefined && params.unit_amount_decimal === undefined) {
    throw missingParameter('unit_amount')
  }
  const recurring = recurringOf(params)
  if (params.lookup_key) await takeLookupKey(world, params.lookup_key, params.transfer_lookup_key)
  const price = makePrice({
    id: world.newId('price'),
    created: world.now,
    product: await productFor(world, params),
    currency: params.currency.toLowerCase(),
    ...(params.unit_amount === undefined ? {} : { unitAmount: params.unit_amount }),
    ...(params.unit_amount_decimal === undefined ? {} : { unitAmountDecimal: params.unit_amount_decimal }),
    ...(recurring ? { recurring } : {}),
    ...(tiers ? { tiers } : {}),
    nickname: params.nickname ?? null,
    lookupKey: params.lookup_key ?? null,
    active: params.active ?? true,
    metadata: mergeMetadata({}, params.metadata),
  })
  price.transform_quantity = params.transform_quantity ?? null
  price.tax_behavior = params.tax_behavior ?? 'unspecified'
  return world.insert('price', price, { event: 'price.created' })
}

export const prices: Route[] = [
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
  writeRoute(
    { name: 'prices.create', path: '/v1/prices', kind: 'price', shape: createShape },
    async ({ world, params }) => shown('price', await createPrice(world, params)),
  ),
  writeRoute(
    {
      name: 'prices.update',
      path: '/v1/prices/:id',
      kind: 'price',
      shape: {
        active: bool(),
        currency_options: unsupported(),
        lookup_key: str(200),
        metadata: metadata(),
        nickname: emptyable(str(5000)),
        tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
        transfer_lookup_key: bool(),
      },
    },
    async ({ world, id, params }) => {
      const before = await world.get('price', id)
      if (!before) throw noSuch('price', id)
      if (params.active === false && (await isDefault(world, before.product, id))) {
        throw refused('This price cannot be archived because it is the default price of its product.')
      }
      if (params.lookup_key) await takeLookupKey(world, params.lookup_key, params.transfer_lookup_key, id)
      const price = await world.change(
        'price',
        id,
        (draft) => {
          draft.active = params.active ?? draft.active
          draft.lookup_key = params.lookup_key ?? draft.lookup_key
          if (params.nickname !== undefined) draft.nickname = params.nickname
          draft.tax_behavior = params.tax_behavior ?? draft.tax_behavior
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        'price.updated',
      )
      await spreadEverywhere(world, price)
      return shown('price', price)
    },
  ),
]

async function isDefault(world: World, productId: string, price: string): Promise<boolean> {
  return (await world.get('product', productId))?.default_price === price
}
