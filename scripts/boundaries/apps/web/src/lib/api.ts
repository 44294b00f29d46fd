import { page } from '../features/billing/BillingPage.tsx'

export const api = `base-without-features ${page}`
