import type { Allowance } from '../../platform/allowance.ts'

/** What may be asked of Cloudflare: its REST calls and its analytics queries are counted apart. */
export type AllowanceScope = 'rest' | 'graphql'
export type CloudflareAllowance = Allowance<AllowanceScope>

/** Half of what Cloudflare takes of a token, which is shared with its dashboard; and all of its analytics queries. */
export const mostCalls: Readonly<Record<AllowanceScope, number>> = { rest: 600, graphql: 300 }
