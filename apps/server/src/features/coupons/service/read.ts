import type { coupons } from '@agency/contract'
import type { Coupon, PromotionCode } from '@agency/contract/coupons'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { AppContext, RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { type CouponsQuery, countRunning, findCode, findCodes, findCoupon, findCouponPage } from '../queries.ts'
import { toCode, toCoupon } from '../shown.ts'

export async function listCoupons(
  ctx: RequestContext,
  query: CouponsQuery,
): Promise<ResponseOf<typeof coupons.listCoupons>> {
  const now = ctx.clock()
  const page = await findCouponPage(ctx.pool, query, new Date(now))
  return { ...page, coupons: page.coupons.map((row) => toCoupon(row, now)) }
}

export async function getCoupon(ctx: RequestContext, id: string): Promise<ResponseOf<typeof coupons.getCoupon>> {
  const coupon = await getShownCoupon(ctx, id)
  const [codes, running] = await Promise.all([findCodes(ctx.db, id), countRunning(ctx.db, id, new Date(ctx.clock()))])
  return { coupon, codes: codes.map((row) => toCode(row, coupon.state, ctx.clock())), running_subscriptions: running }
}

type Reading = Pick<AppContext, 'db' | 'clock'>

export async function getShownCoupon({ db, clock }: Reading, id: string): Promise<Coupon> {
  const row = await findCoupon(db, id, new Date(clock()))
  if (!row) throw notFound(`Coupon ${id}`)
  return toCoupon(row, clock())
}

/** With the coupon that it is of; null where that is deleted. */
export async function getShownCode(
  { db, clock }: Reading,
  id: string,
): Promise<{ code: PromotionCode; coupon: Coupon | null }> {
  const row = await findCode(db, id)
  if (!row) throw notFound(`Promotion code ${id}`)
  const found = row.coupon_id === null ? undefined : await findCoupon(db, row.coupon_id, new Date(clock()))
  const coupon = found ? toCoupon(found, clock()) : null
  return { code: toCode(row, coupon?.state ?? 'invalid', clock()), coupon }
}
