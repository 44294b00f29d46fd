import { objectActions } from '../billing/index.ts'
import { ways } from './ways.ts'

export const { handlers: paymentLinkHandlers, deliver, answer: answerLinks } = objectActions(ways, 'plans')
