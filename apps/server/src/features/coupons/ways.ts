import type { coupons } from '@agency/contract'
import type { ResponseOf } from '@agency/contract/endpoint'
import { ProviderError } from '../../integrations/stripe/errors.ts'
import { fields, text } from '../../integrations/stripe/fields.ts'
import type { ProviderObject } from '../../integrations/stripe/gateway.ts'
import { pagesOf } from '../../integrations/stripe/pages.ts'
import type { ActionRow, ObjectWay, Seen, Work } from '../billing/index.ts'
import { buryObject } from '../mirror/index.ts'
import { type CodeTerms, type CouponTerms, sameCodeText } from './rules.ts'
import { getShownCode, getShownCoupon } from './service/read.ts'

type CouponAnswer = ResponseOf<typeof coupons.createCoupon>
type CodeAnswer = ResponseOf<typeof coupons.switchPromotionCode>
type GoneAnswer = ResponseOf<typeof coupons.deleteCoupon>

export type CouponPayload = CouponTerms
/** `name` is that of the coupon. */
export type CodePayload = CodeTerms & { name: string }
export type GonePayload = { name: string }
export type SwitchPayload = { name: string; coupon: string | null; code: string; active: boolean }

type Kind = 'coupon' | 'promotion_code'
const payloadOf = <P>({ payload }: ActionRow): P => payload as P
/** What Stripe refuses, in words that say what to do. */
const refusals: ObjectWay['refusals'] = {
  resource_already_exists: (action) => sameCodeText(payloadOf<Partial<CodePayload>>(action).code ?? ''),
  coupon_expired: () => 'This coupon can no longer be redeemed',
  resource_missing: () => 'It does not exist at Stripe any more',
}

const dateOf = (at: string | undefined): Date | undefined => (at === undefined ? undefined : new Date(at))

/** By how much the provider's clock may be behind. */
const clocksDifferMs = 10 * 60_000
const mostPages = 10

/** By the action's mark, among those that were made since. */
async function findMade({ look, action }: Work, kind: Kind): Promise<ProviderObject | null> {
  const createdFrom = new Date(action.created_at.getTime() - clocksDifferMs)
  const load = (startingAfter: string | undefined) =>
    look.listObjects(kind, { createdFrom, ...(startingAfter && { startingAfter }) })
  const what = kind === 'coupon' ? 'new coupons' : 'new promotion codes'
  for await (const { objects } of pagesOf(load, { what, most: mostPages })) {
    const found = objects.find((object) => fields(object['metadata'])['action_id'] === action.id)
    if (found) return found
  }
  return null
}

const newCoupon: ObjectWay<CouponAnswer> = {
  kind: 'coupon',
  refusals,
  send({ stripe, action }) {
    const { name, percent_off, amount_off = 0, currency = '', ...terms } = payloadOf<CouponPayload>(action)
    return stripe.createCoupon({
      name,
      off: percent_off === undefined ? { amount: amount_off, currency } : { percent: percent_off },
      duration: terms.duration === 'repeating' ? (terms.duration_in_months ?? 1) : terms.duration,
      maxRedemptions: terms.max_redemptions,
      redeemBy: dateOf(terms.redeem_by),
      products: terms.plans,
      metadata: { action_id: action.id },
      idempotencyKey: action.provider_key,
    })
  },
  find: (work) => findMade(work, 'coupon'),
  done: ({ action }, made, how) => ({
    ...asSeen('coupon', made, action, how),
    ...{ status: 'created', told: { before: {}, after: { name: payloadOf<CouponPayload>(action).name } } },
    answerOf: async (tx) => ({ success: true, coupon: await getShownCoupon(tx, idOf(made, action)) }),
  }),
}

const newCode: ObjectWay<CodeAnswer> = {
  kind: 'promotion_code',
  refusals,
  send({ stripe, action }) {
    const { code, customer, max_redemptions, expires_at, first_time_only, minimum } = payloadOf<CodePayload>(action)
    return stripe.createPromotionCode({
      ...{ coupon: action.target_id, code, customer, minimum, firstTimeOnly: first_time_only },
      maxRedemptions: max_redemptions,
      expiresAt: dateOf(expires_at),
      metadata: { action_id: action.id },
      idempotencyKey: action.provider_key,
    })
  },
  find: (work) => findMade(work, 'promotion_code'),
  done: ({ action }, made, how) => ({
    ...asSeen('promotion_code', made, action, how),
    ...{ status: 'created', told: { before: {}, after: { code: made === 'gone' ? null : text(made['code']) } } },
    answerOf: async (tx) => ({ success: true, code: (await getShownCode(tx, idOf(made, action))).code }),
  }),
}

const isMissing = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'not_found'

const goneCoupon: ObjectWay<GoneAnswer> = {
  kind: 'coupon',
  refusals,
  async send({ stripe, action }) {
    try {
      const { requestId } = await stripe.deleteCoupon(action.target_id, action.provider_key)
      return { object: { id: action.target_id, object: 'coupon', deleted: true }, requestId }
    } catch (error) {
      // An earlier try may have done it, or somebody at Stripe: it is gone.
      if (isMissing(error)) return 'gone'
      throw error
    }
  },
  find: async ({ look, action }) => ((await look.findObject('coupon', action.target_id)) ? null : 'gone'),
  done: ({ action }, _made, { requestId }) => ({
    ...{ seen: [], resultId: action.target_id, requestId, status: 'deleted' },
    told: { before: {}, after: { name: payloadOf<GonePayload>(action).name } },
    async answerOf(tx) {
      await buryObject(tx, 'coupon', action.target_id)
      return { success: true, id: action.target_id }
    },
  }),
}

const switched: ObjectWay<CodeAnswer> = {
  kind: 'promotion_code',
  refusals,
  async send({ stripe, action }) {
    const { active } = payloadOf<SwitchPayload>(action)
    const answer = await stripe.switchPromotionCode(action.target_id, active, action.provider_key)
    if (answer.object['active'] !== active)
      throw new ProviderError('bad_answer', 'Stripe answered with a promotion code that does not show the change')
    return answer
  },
  async find({ look, action }) {
    const object = await look.findObject('promotion_code', action.target_id)
    return object?.['active'] === payloadOf<SwitchPayload>(action).active ? object : null
  },
  done({ action }, made, how) {
    const { code, active } = payloadOf<SwitchPayload>(action)
    return {
      ...asSeen('promotion_code', made, action, how),
      ...{ status: active ? 'on' : 'off', told: { before: { active: !active }, after: { code, active } } },
      answerOf: async (tx) => ({ success: true, code: (await getShownCode(tx, action.target_id)).code }),
    }
  },
}

const idOf = (made: ProviderObject | 'gone', action: ActionRow): string =>
  made === 'gone' ? action.target_id : made.id

function asSeen(
  kind: Kind,
  made: ProviderObject | 'gone',
  action: ActionRow,
  { fetchSeq, requestId }: { fetchSeq: number; requestId: string | null },
) {
  const seen: Seen[] = made === 'gone' ? [] : [{ kind, object: made, fetchSeq }]
  return { seen, resultId: idOf(made, action), requestId }
}

export const ways = {
  coupon_create: newCoupon,
  coupon_delete: goneCoupon,
  promotion_code_create: newCode,
  promotion_code_switch: switched,
}
