import { objectActions } from '../billing/index.ts'
import { ways } from './ways.ts'

export const { handlers: couponHandlers, deliver, answer: answerCoupons } = objectActions(ways, 'plans')
