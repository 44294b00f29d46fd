import { badValue, missingParameter, noSuch, refused } from '../../http/errors.ts'
import { listPage, theOne, within } from '../../http/list.ts'
import { created, hash, int, list, mergeMetadata, metadata, oneOf, page, str, unsupported } from '../../http/params.ts'
import { type Route, readRoute, shown, writeRoute } from '../../http/route.ts'
import { day } from '../../world/periods.ts'
import { makeCoupon } from '../objects/catalogue.ts'
import { switchOffCodesOf } from '../rules/promotions.ts'

const percentage = {
  read(value: unknown, param: string): number {
    const percent = Number(value)
    if (!(percent > 0 && percent <= 100)) throw badValue('Invalid percentage: must be between 0 and 100', param)
    return percent
  },
}

const mostYears = 5

function checkRedeemBy(now: number, at: number): void {
  if (at <= now) throw badValue('Invalid timestamp: must be an integer Unix timestamp in the future', 'redeem_by')
  if (at > now + mostYears * 366 * day)
    throw badValue(`Invalid timestamp: can be no more than ${mostYears} years in the future`, 'redeem_by')
}

export const coupons: Route[] = [
  readRoute(
    { name: 'coupons.list', path: '/v1/coupons', kind: 'coupon', list: true, shape: { ...page, created: created() } },
    ({ read, params }) =>
      listPage(read, { kind: 'coupon', url: '/v1/coupons', params, conditions: within(params.created) }),
  ),
  readRoute({ name: 'coupons.retrieve', path: '/v1/coupons/:id', kind: 'coupon', shape: {} }, async ({ read, id }) =>
    shown('coupon', await theOne(read, 'coupon', id)),
  ),
  writeRoute(
    {
      name: 'coupons.create',
      path: '/v1/coupons',
      kind: 'coupon',
      shape: {
        amount_off: int(1),
        applies_to: hash({ products: list(str()) }),
        currency: str(3),
        currency_options: unsupported(),
        duration: oneOf('forever', 'once', 'repeating'),
        duration_in_months: int(1),
        id: str(200),
        max_redemptions: int(1),
        metadata: metadata(),
        name: str(40),
        percent_off: percentage,
        redeem_by: int(0),
      },
    },
    async ({ world, params }) => {
      const { amount_off: amount, percent_off: percent } = params
      if (amount === undefined && percent === undefined) throw missingParameter('percent_off')
      if (amount !== undefined && percent !== undefined)
        throw badValue('You may only specify one of these parameters: amount_off, percent_off.', 'amount_off')
      if (amount !== undefined && !params.currency) throw missingParameter('currency')
      if (params.duration === 'repeating' && !params.duration_in_months) throw missingParameter('duration_in_months')
      if (params.id && (await world.entry('coupon', params.id))) {
        throw refused('Coupon already exists.', 'resource_already_exists', 'id')
      }
      if (params.redeem_by !== undefined) checkRedeemBy(world.now, params.redeem_by)
      for (const product of params.applies_to?.products ?? [])
        if (!(await world.get('product', product))) throw noSuch('product', product, 'applies_to[products]', 400)
      const coupon = makeCoupon({
        id: params.id ?? world.ids.text(8),
        created: world.now,
        name: params.name ?? null,
        ...(percent === undefined ? {} : { percentOff: percent }),
        ...(amount === undefined ? {} : { amountOff: { amount, currency: params.currency!.toLowerCase() } }),
        duration: params.duration ?? 'once',
        ...(params.duration_in_months ? { months: params.duration_in_months } : {}),
        maxRedemptions: params.max_redemptions ?? null,
        redeemBy: params.redeem_by ?? null,
        metadata: mergeMetadata({}, params.metadata),
        ...(params.applies_to?.products ? { products: params.applies_to.products } : {}),
      })
      if (coupon.redeem_by !== null) world.schedule('coupon_ends', coupon.id, coupon.redeem_by)
      return shown('coupon', world.insert('coupon', coupon, { event: 'coupon.created' }))
    },
  ),
  writeRoute(
    {
      name: 'coupons.update',
      path: '/v1/coupons/:id',
      kind: 'coupon',
      shape: { currency_options: unsupported(), metadata: metadata(), name: str(40) },
    },
    async ({ world, id, params }) => {
      if (!(await world.get('coupon', id))) throw noSuch('coupon', id)
      const coupon = await world.change(
        'coupon',
        id,
        (draft) => {
          draft.name = params.name ?? draft.name
          draft.metadata = mergeMetadata(draft.metadata, params.metadata)
        },
        'coupon.updated',
      )
      return shown('coupon', coupon)
    },
  ),
  writeRoute(
    { name: 'coupons.del', method: 'DELETE', path: '/v1/coupons/:id', kind: 'coupon', shape: {} },
    async ({ world, id }) => {
      if (!(await world.get('coupon', id))) throw noSuch('coupon', id)
      await world.remove('coupon', id, 'coupon.deleted')
      await switchOffCodesOf(world, id)
      return { type: 'object', kind: 'other', body: { id, object: 'coupon', deleted: true } }
    },
  ),
]
