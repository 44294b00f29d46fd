import { noSuch, refused } from '../../http/errors.ts'
import { docEquals, listPage, theOne, within } from '../../http/list.ts'
import {
  anything,
  bool,
  created,
  emptyable,
  hash,
  list,
  mergeMetadata,
  metadata,
  page,
  required,
  str,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { makeProduct } from '../objects/catalogue.ts'

const settable = {
  active: bool(),
  description: emptyable(str(40_000)),
  images: emptyable(list(str())),
  marketing_features: emptyable(list(hash({ name: required(str(80)) }))),
  metadata: metadata(),
  shippable: bool(),
  statement_descriptor: str(22),
  tax_code: emptyable(str()),
  unit_label: emptyable(str(12)),
  url: emptyable(str(5000)),
  default_price_data: anything(),
  package_dimensions: anything(),
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
      shape: { ...settable, id: str(), name: required(str(5000)), type: str() },
    },
    async ({ world, params }) => {
      if (params.id && (await world.entry('product', params.id))) {
        throw refused('Product already exists.', 'resource_already_exists', 'id')
      }
      const product = makeProduct({
        id: params.id ?? world.newId('prod'),
        created: world.now,
        name: params.name,
        description: params.description ?? null,
        active: params.active ?? true,
        metadata: mergeMetadata({}, params.metadata),
        unitLabel: params.unit_label ?? null,
        features: (params.marketing_features ?? []).map(({ name }) => name),
      })
      return shown('product', world.insert('product', product, { event: 'product.created' }))
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
      const product = await world.change(
        'product',
        id,
        (draft) => {
          draft.name = params.name ?? draft.name
          draft.active = params.active ?? draft.active
          draft.default_price = params.default_price ?? draft.default_price ?? null
          if (params.description !== undefined) draft.description = params.description
          if (params.unit_label !== undefined) draft.unit_label = params.unit_label
          if (params.url !== undefined) draft.url = params.url
          if (params.images !== undefined) draft.images = params.images ?? []
          if (params.marketing_features !== undefined) draft.marketing_features = params.marketing_features ?? []
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
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
