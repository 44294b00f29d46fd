import { service } from './features/billing/service.ts'

export const app = `feature-face ${service}`
