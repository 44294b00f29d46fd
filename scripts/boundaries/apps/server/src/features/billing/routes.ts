import { mrr } from './mrr.ts'

export const routes = `thin-routes ${mrr}`
