/** What may be asked of Cloudflare: its REST calls and its analytics queries are counted apart. */
export type AllowanceScope = 'rest' | 'graphql'

export type Permit = { isAllowed: true } | { isAllowed: false; isBlocked: boolean; retryAfter: number }

/** Shared by all processes on the database. */
export type Allowance = {
  take(scope: AllowanceScope, share: number): Promise<Permit>
  /** Cloudflare said to wait: until then nothing is sent. */
  block(scope: AllowanceScope, seconds: number): Promise<void>
}
