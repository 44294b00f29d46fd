import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { within } from '../../platform/within.ts'
import type { Measured } from './parts.ts'

const askEveryMs = 60_000
const answerWithinMs = 5000
/** One call that fails may be a moment; two are a state. */
const failuresUntilError = 2

const answers: ReadonlySet<string> = new Set(['provider_auth', 'provider_invalid', 'provider_rate_limit'])

/** Whether the provider's API can be reached, asked once a minute. An answer that refuses is an answer. */
export function createProviderProbe(ctx: AppContext): () => Promise<Measured> {
  let last: Measured | undefined
  let askedAt = 0
  let failures = 0

  return async () => {
    if (!ctx.stripe) return { status: 'unknown', detail: 'No provider is connected' }
    if (last && failures === 0 && ctx.clock() - askedAt < askEveryMs) return last
    askedAt = ctx.clock()
    const started = performance.now()
    try {
      await within(answerWithinMs, ctx.stripe.in('job').ping())
      last = reached(performance.now() - started)
    } catch (error) {
      last = failed(error, performance.now() - started)
    }
    return last
  }

  function reached(ms: number): Measured {
    failures = 0
    return { status: 'healthy', detail: `Stripe answers in ${Math.round(ms)} ms`, responseMs: ms }
  }

  function failed(error: unknown, ms: number): Measured {
    if (error instanceof AppError && answers.has(error.code)) return reached(ms)
    failures++
    const detail = error instanceof Error ? error.message : String(error)
    return { status: failures < failuresUntilError ? 'warning' : 'error', detail }
  }
}
