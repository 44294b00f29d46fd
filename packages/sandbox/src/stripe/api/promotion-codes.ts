import { badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import { docEquals, equals, listPage, theOne, within } from '../../http/list.ts'
import {
  bool,
  created,
  hash,
  int,
  mergeMetadata,
  metadata,
  oneOf,
  type Params,
  page,
  required,
  str,
  unsupported,
} from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import type { World } from '../../world/world.ts'
import { makePromotionCode } from '../objects/catalogue.ts'
import { isUsedUp, sameActive } from '../rules/promotions.ts'
import type { Coupon, PromotionCode } from '../types.ts'

const url = '/v1/promotion_codes'

const code = {
  read(value: unknown, param: string): string {
    const given = String(value)
    if (!/^[A-Za-z0-9-]{1,500}$/.test(given))
      throw badValue('Invalid code: only letters, digits and dashes are allowed', param)
    return given
  },
}

const createShape = {
  promotion: required(hash({ type: required(oneOf('coupon')), coupon: required(str()) })),
  active: bool(),
  code,
  customer: str(),
  customer_account: unsupported(),
  expires_at: int(0),
  max_redemptions: int(1),
  metadata: metadata(),
  restrictions: hash({
    currency_options: unsupported(),
    first_time_transaction: bool(),
    minimum_amount: int(1),
    minimum_amount_currency: str(3),
  }),
}
type CreateParams = Params<typeof createShape>

function checkLimits(world: World, coupon: Coupon, { expires_at: end, max_redemptions: most }: CreateParams): void {
  if (end !== undefined && end <= world.now)
    throw badValue('The expires_at timestamp must be in the future.', 'expires_at')
  if (end !== undefined && coupon.redeem_by !== null && end > coupon.redeem_by)
    throw badValue("The expires_at timestamp can not be after the coupon's redeem_by.", 'expires_at')
  if (most !== undefined && coupon.max_redemptions !== null && most > coupon.max_redemptions)
    throw badValue("The max_redemptions can not be greater than the coupon's max_redemptions.", 'max_redemptions')
}

function minimumOf({ restrictions }: CreateParams) {
  const { minimum_amount: amount, minimum_amount_currency: currency } = restrictions ?? {}
  if (amount === undefined && currency === undefined) return null
  if (amount === undefined) throw missingParameter('restrictions[minimum_amount]')
  if (currency === undefined) throw missingParameter('restrictions[minimum_amount_currency]')
  return { amount, currency: currency.toLowerCase() }
}

async function mustBeUnique(world: World, promotion: PromotionCode): Promise<void> {
  if (await sameActive(world, promotion))
    throw refused(
      `An active promotion code with \`code: ${promotion.code}\` already exists.`,
      'resource_already_exists',
    )
}

async function create(world: World, params: CreateParams): Promise<PromotionCode> {
  const coupon = await world.get('coupon', params.promotion.coupon)
  if (!coupon) throw noSuch('coupon', params.promotion.coupon, 'promotion[coupon]', 400)
  if (!coupon.valid) throw refused('This coupon is no longer valid.', 'coupon_expired', 'promotion[coupon]')
  if (params.customer && !(await world.get('customer', params.customer)))
    throw noSuch('customer', params.customer, 'customer', 400)
  checkLimits(world, coupon, params)
  const promotion = makePromotionCode({
    id: world.newId('promo'),
    created: world.now,
    coupon: coupon.id,
    code: params.code ?? world.ids.text(8).toUpperCase(),
    active: params.active ?? true,
    customer: params.customer ?? null,
    expiresAt: params.expires_at ?? null,
    maxRedemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    firstTime: params.restrictions?.first_time_transaction ?? false,
    minimum: minimumOf(params),
  })
  if (promotion.active) await mustBeUnique(world, promotion)
  if (promotion.expires_at !== null) world.schedule('code_ends', promotion.id, promotion.expires_at)
  return world.insert('promotion_code', promotion, { event: 'promotion_code.created' })
}

async function mustBeReactivable(world: World, promotion: PromotionCode): Promise<void> {
  const coupon = await world.get('coupon', promotion.promotion.coupon ?? '')
  const isOver = promotion.expires_at !== null && promotion.expires_at <= world.now
  if (!coupon?.valid) throw refused('This promotion code cannot be activated: its coupon is no longer valid.')
  if (isOver || isUsedUp(promotion))
    throw refused('This promotion code cannot be activated: it can no longer be redeemed.')
  await mustBeUnique(world, promotion)
}

export const promotionCodes: Route[] = [
  readRoute(
    {
      name: 'promotionCodes.list',
      path: url,
      kind: 'promotion_code',
      list: true,
      shape: { ...page, active: bool(), code: str(), coupon: str(), created: created(), customer: str() },
    },
    ({ read, params }) =>
      listPage(read, {
        ...{ kind: 'promotion_code', url, params },
        conditions: [
          ...within(params.created),
          ...equals('customer', params.customer),
          ...docEquals('active', params.active),
          ...docEquals('promotion,coupon', params.coupon),
          ...(params.code === undefined
            ? []
            : [{ sql: (at: string) => `lower(doc->>'code') = ${at}`, value: params.code.toLowerCase() }]),
        ],
      }),
  ),
  readRoute(
    { name: 'promotionCodes.retrieve', path: `${url}/:id`, kind: 'promotion_code', shape: {} },
    async ({ read, id }) => shown('promotion_code', await theOne(read, 'promotion_code', id)),
  ),
  writeRoute(
    { name: 'promotionCodes.create', path: url, kind: 'promotion_code', shape: createShape },
    async ({ world, params }) => shown('promotion_code', await create(world, params)),
  ),
  writeRoute(
    {
      name: 'promotionCodes.update',
      path: `${url}/:id`,
      kind: 'promotion_code',
      shape: { active: bool(), metadata: metadata(), restrictions: unsupported() },
    },
    async ({ world, id, params }) => {
      const before = await world.get('promotion_code', id)
      if (!before) throw noSuch('promotion_code', id)
      if (params.active && !before.active) await mustBeReactivable(world, before)
      const changed = await world.change(
        'promotion_code',
        id,
        (draft) => {
          draft.active = params.active ?? draft.active
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        'promotion_code.updated',
      )
      return shown('promotion_code', changed)
    },
  ),
]
