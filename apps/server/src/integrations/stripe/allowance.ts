import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Allowance } from '../../platform/allowance.ts'
import { limited, type ProviderError } from './errors.ts'
import type { OneCall } from './one-call.ts'

export const defaultBase = 'https://api.stripe.com'

export type StripeAllowance = Allowance<'calls'>

/** Stripe counts by the second, which a walk keeps to by its pace: what is shared is its word to wait. */
export const mostCalls = { calls: null } as const

/** One account, however many processes ask it. */
export const connectionName = ({
  secretKey,
  apiBase = defaultBase,
}: {
  secretKey: string
  apiBase?: string | undefined
}) => createHash('sha256').update(`${secretKey}\n${apiBase}`).digest('hex').slice(0, 16)

const defaultBlockS = 1

export function allowedBy(allowance: StripeAllowance) {
  return {
    /** Waits until Stripe may be asked; throws when that is not soon enough for whoever waits. */
    async turn(call: OneCall): Promise<void> {
      for (;;) {
        const permit = await allowance.take('calls', 1)
        if (permit.isAllowed) return
        const waitMs = permit.retryAfter * 1000
        if (!call.waitsForLimit || performance.now() + waitMs >= call.endsAt) throw limited(permit.retryAfter)
        await sleep(waitMs)
      }
    },
    /** Somebody else's lock on an object is no reason to ask for nothing else. */
    async obey({ providerStatus, providerCode, retryAfter }: ProviderError): Promise<void> {
      if (providerStatus === 429 && providerCode !== 'lock_timeout')
        await allowance.block('calls', Math.max(retryAfter ?? defaultBlockS, defaultBlockS))
    },
  }
}
