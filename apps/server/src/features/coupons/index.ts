import { coupons } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { answerCoupons } from './delivery.ts'
import { createCode } from './service/create-code.ts'
import { createCoupon } from './service/create-coupon.ts'
import { deleteCoupon } from './service/delete-coupon.ts'
import { getCoupon, listCoupons } from './service/read.ts'
import { switchCode } from './service/switch-code.ts'

export { couponHandlers } from './delivery.ts'

export const couponRoutes = routesOf(coupons, {
  listCoupons: ({ ctx, query }) => listCoupons(ctx, query),
  getCoupon: ({ ctx, params }) => getCoupon(ctx, params.id),
  createCoupon: {
    handle: ({ ctx, body, claim }) => createCoupon(ctx, body, claim),
    replay: ({ ctx, subject }) => answerCoupons(ctx, subject),
  },
  deleteCoupon: {
    handle: ({ ctx, params, claim }) => deleteCoupon(ctx, params.id, claim),
    replay: ({ ctx, subject }) => answerCoupons(ctx, subject),
  },
  createPromotionCode: {
    handle: ({ ctx, params, body, claim }) => createCode(ctx, params.id, body, claim),
    replay: ({ ctx, subject }) => answerCoupons(ctx, subject),
  },
  switchPromotionCode: {
    handle: ({ ctx, params, body, claim }) => switchCode(ctx, params.id, body.active, claim),
    replay: ({ ctx, subject }) => answerCoupons(ctx, subject),
  },
})
