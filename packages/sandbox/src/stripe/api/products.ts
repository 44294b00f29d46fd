import { noSuch, refused } from '../../http/errors.ts'
import { docEquals, listPage, theOne, within } from '../../http/list.ts'
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
  oneOf,
  type Params,
  page,
  played,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { makeProduct } from '../objects/catalogue.ts'
import type { Product } from '../types.ts'
import { createPrice } from './prices.ts'

const settable = {
  active: bool(),
  description: emptyable(str(40_000)),
  images: emptyable(list(str())),
  marketing_features: emptyable(list(hash({ name: required(str(80)) }))),
  metadata: metadata(),
  shippable: bool(),
  statement_descriptor: str(22),
  tax_code: unsupported(),
  unit_label: emptyable(str(12)),
  url: emptyable(str(5000)),
  package_dimensions: unsupported(),
}

const defaultPrice = hash({
  currency: required(str(3)),
  currency_options: unsupported(),
  custom_unit_amount: unsupported(),
  metadata: metadata(),
  recurring: hash({ interval: required(oneOf('day', 'month', 'week', 'year')), interval_count: int(1) }),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  unit_amount: int(0),
  unit_amount_decimal: decimal(),
})

type Settings = Params<typeof settable>

function applySettings(draft: Product, settings: Settings): void {
  draft.active = settings.active ?? draft.active
  draft.shippable = settings.shippable ?? draft.shippable
  draft.statement_descriptor = settings.statement_descriptor ?? draft.statement_descriptor ?? null
  if (settings.description !== undefined) draft.description = settings.description
  if (settings.unit_label !== undefined) draft.unit_label = settings.unit_label
  if (settings.url !== undefined) draft.url = settings.url
  if (settings.images !== undefined) draft.images = settings.images ?? []
  if (settings.marketing_features !== undefined) draft.marketing_features = settings.marketing_features ?? []
  draft.metadata = mergeMetadata(draft.metadata, settings.metadata)
}

export const products: Route[] = [
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
  writeRoute(
    {
      name: 'products.create',
      path: '/v1/products',
      kind: 'product',
      shape: {
        ...settable,
        default_price_data: defaultPrice,
        id: str(),
        name: required(str(5000)),
        type: played('service'),
      },
    },
    async ({ world, params }) => {
      if (params.id && (await world.entry('product', params.id))) {
        throw refused('Product already exists.', 'resource_already_exists', 'id')
      }
      const product = makeProduct({
        id: params.id ?? world.newId('prod'),
        created: world.now,
        name: params.name,
      })
      product.type = params.type ?? product.type
      applySettings(product, params)
      world.insert('product', product, { event: 'product.created' })
      if (!params.default_price_data) return shown('product', product)
      const { id: price } = await createPrice(world, { ...params.default_price_data, product: product.id })
      return shown('product', await world.change('product', product.id, { default_price: price }, 'product.updated'))
    },
  ),
  writeRoute(
    {
      name: 'products.update',
      path: '/v1/products/:id',
      kind: 'product',
      shape: { ...settable, name: str(5000), default_price: str() },
    },
    async ({ world, id, params }) => {
      if (!(await world.get('product', id))) throw noSuch('product', id)
      const chosen = params.default_price && (await world.get('price', params.default_price))
      if (params.default_price && (!chosen || chosen.product !== id))
        throw noSuch('price', params.default_price, 'default_price', 400)
      const product = await world.change(
        'product',
        id,
        (draft) => {
          draft.name = params.name ?? draft.name
          draft.default_price = params.default_price ?? draft.default_price ?? null
          applySettings(draft, params)
          draft.updated = world.now
        },
        'product.updated',
      )
      return shown('product', product)
    },
  ),
  writeRoute(
    { name: 'products.del', method: 'DELETE', path: '/v1/products/:id', kind: 'product', shape: {} },
    async ({ world, id }) => {
      if (!(await world.get('product', id))) throw noSuch('product', id)
      if ((await world.find('price', { product: id }, 1)).length > 0) {
        throw refused('This product cannot be deleted because it has one or more user-created prices.')
      }
      await world.remove('product', id, 'product.deleted')
      return { type: 'object', kind: 'other', body: { id, object: 'product', deleted: true } }
    },
  ),
]
