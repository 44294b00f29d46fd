import { noSuch, refused } from '../../http/errors.ts'
import { priceAmount } from '../../world/money.ts'
import type { World } from '../../world/world.ts'
import type { Coupon, Price, PromotionCode } from '../types.ts'

export type Redemption = { coupon: string; promotionCode?: string }

/** Who redeems; `items`: what is bought, where that is known. */
export type Buyer = { customer: string; items?: readonly { price: Price; quantity?: number }[] }

type Given = { coupon?: string | undefined; promotion_code?: string | undefined }

export const isUsedUp = ({ max_redemptions, times_redeemed }: Coupon | PromotionCode): boolean =>
  max_redemptions !== null && times_redeemed >= max_redemptions

/** What a parameter names; undefined where it names neither a coupon nor a code. */
export async function redemptionOf(
  world: World,
  given: Given,
  param = 'discounts[0]',
): Promise<Redemption | undefined> {
  const { coupon, promotion_code: id } = given
  if (coupon) {
    if (!(await world.get('coupon', coupon))) throw noSuch('coupon', coupon, `${param}[coupon]`, 400)
    return { coupon }
  }
  if (!id) return undefined
  const code = await world.get('promotion_code', id)
  if (!code) throw noSuch('promotion_code', id, `${param}[promotion_code]`, 400)
  return { coupon: code.promotion.coupon ?? '', promotionCode: id }
}

export async function mustBeRedeemable(world: World, redemption: Redemption, buyer: Buyer, param: string) {
  const coupon = await world.get('coupon', redemption.coupon)
  if (redemption.promotionCode) {
    const code = await world.need('promotion_code', redemption.promotionCode)
    await mustBeGood(world, code, buyer, `${param}[promotion_code]`)
  }
  if (!coupon?.valid) throw refused(`Coupon expired: ${redemption.coupon}`, 'coupon_expired', `${param}[coupon]`)
}

async function mustBeGood(world: World, code: PromotionCode, buyer: Buyer, param: string): Promise<void> {
  const refuse = (reason: string) =>
    refused(`This promotion code cannot be redeemed because ${reason}.`, undefined, param)
  const {
    first_time_transaction: isFirst,
    minimum_amount: least,
    minimum_amount_currency: currency,
  } = code.restrictions
  if (!code.active) throw refuse('it is inactive')
  if (code.customer && code.customer !== buyer.customer) throw refuse('it belongs to another customer')
  if (isFirst && (await hasPaid(world, buyer.customer))) throw refuse('the associated customer has prior transactions')
  if (least === null || !buyer.items) return
  const subtotal = buyer.items.reduce((sum, { price, quantity = 1 }) => sum + priceAmount(price, quantity), 0)
  if (buyer.items[0]?.price.currency !== currency || subtotal < least)
    throw refuse('the subtotal is below its minimum amount')
}

const hasPaid = async (world: World, customer: string): Promise<boolean> =>
  (await world.find('charge', { customer })).some(({ status }) => status === 'succeeded')

/** The same code, whatever its case, that could be meant by the same customer. */
export async function sameActive(world: World, { id, code, customer }: PromotionCode) {
  const all = await world.find('promotion_code', {})
  return all.find(
    (other) =>
      other.id !== id &&
      other.active &&
      other.code.toLowerCase() === code.toLowerCase() &&
      (other.customer === null || customer === null || other.customer === customer),
  )
}

export async function countRedemption(world: World, id: string): Promise<void> {
  await world.change(
    'promotion_code',
    id,
    (draft) => {
      draft.times_redeemed += 1
      if (isUsedUp(draft)) draft.active = false
    },
    null,
  )
}

/** Nobody can redeem what is gone; discounts that run keep it. */
export async function switchOffCodesOf(world: World, coupon: string): Promise<void> {
  for (const code of await world.find('promotion_code', {}))
    if (code.promotion.coupon === coupon) await endCode(world, code.id)
}

export async function endCode(world: World, id: string): Promise<void> {
  await world.change('promotion_code', id, { active: false }, 'promotion_code.updated')
}

export async function endCoupon(world: World, id: string): Promise<void> {
  if (!(await world.get('coupon', id))) return
  await world.change('coupon', id, { valid: false }, 'coupon.updated')
  await switchOffCodesOf(world, id)
}
