import type { AppContext } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Measured } from './parts.ts'
import { within } from './within.ts'

export type Probe = {
  network: Measured
  /** Why the provider does not serve us although it can be reached. */
  refusal: string | null
}

const askEveryMs = 60_000
const answerWithinMs = 5000
/** One call that fails may be a moment; two are a state. */
const failuresUntilError = 2

const refusals: ReadonlySet<string> = new Set(['provider_auth', 'provider_invalid'])
const answers: ReadonlySet<string> = new Set([...refusals, 'provider_rate_limit', 'not_found', 'conflict'])

/** Whether the provider's API can be reached, asked once a minute. An answer that refuses is an answer. */
export function createProviderProbe(ctx: AppContext): () => Promise<Probe> {
  let last: Probe | undefined
  let askedAt = 0
  let failures = 0

  return async () => {
    if (!ctx.stripe) return { network: { status: 'unknown', detail: 'No provider is connected' }, refusal: null }
    if (last && failures === 0 && ctx.clock() - askedAt < askEveryMs) return last
    askedAt = ctx.clock()
    const started = performance.now()
    try {
      await within(answerWithinMs, ctx.stripe.in('job').ping())
      last = reached(performance.now() - started, null)
    } catch (error) {
      last = failed(error, performance.now() - started)
    }
    return last
  }

  function reached(ms: number, refusal: string | null): Probe {
    failures = 0
    return { network: { status: 'healthy', detail: `Stripe answers in ${Math.round(ms)} ms` }, refusal }
  }

  function failed(error: unknown, ms: number): Probe {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof AppError ? error.code : ''
    if (answers.has(code)) return reached(ms, refusals.has(code) ? message : null)
    failures++
    const status = failures < failuresUntilError ? 'warning' : 'error'
    return { network: { status, detail: message }, refusal: null }
  }
}
