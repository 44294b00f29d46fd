import { listPayments } from '../../contract/src/billing.ts'

export const world = `sandbox-alone ${listPayments}`
