export type Provider = 'stripe' | 'cloudflare' | 'hosting'

export type FaultEffect = {
  /** Answer with this status and the provider's error body for it, without doing anything. */
  status?: number
  code?: string
  message?: string
  /** Keep the failure under the request's idempotency key, so that a repetition gets it again (default: only a 500). */
  kept?: boolean
  retryAfter?: number
  delayMs?: number
  /** cut: the body ends in its middle; destroy: no answer at all and nothing done; lost: done, but no answer. */
  connection?: 'cut' | 'destroy' | 'lost'
  /**
   * html: a page with status 200; json: broken JSON; null_data: a list whose data is null. Of Cloudflare also
   * unsuccessful: success is false with status 200; null_result; no_plan: zones without one; endless_pages: every page
   * is full, however far one goes.
   */
  malformed?: 'html' | 'json' | 'null_data' | 'unsuccessful' | 'null_result' | 'no_plan' | 'endless_pages'
  /** Answer with this JSON and status 200, without doing anything. */
  answer?: unknown
}

export type FaultMatch = string | { method?: string; path?: string }
export type Fault = { id: number; provider: Provider; match: FaultMatch; left: number | null; effect: FaultEffect }

export type WebhookFaults = {
  /** The next N deliveries are lost on their way, without being tried again. */
  drop: number
  /** The next N deliveries arrive twice. */
  duplicate: number
  delayMs: number
  shuffle: boolean
  /** Nothing is delivered until it is released. */
  hold: boolean
}

export type Faults = {
  /** The next requests that match (one, unless told otherwise) suffer; null times: until cleared. */
  next(provider: Provider, match: FaultMatch, effect: number | FaultEffect, times?: number | null): number
  clear(id?: number): void
  list(): Fault[]
  webhooks: WebhookFaults
  resetWebhooks(): void
  take(request: { name: string | null; method: string; path: string }, provider?: Provider): Fault | undefined
}

const noWebhookFaults = (): WebhookFaults => ({ drop: 0, duplicate: 0, delayMs: 0, shuffle: false, hold: false })

const asPattern = (text: string) => new RegExp(`^${text.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)

function suits(match: FaultMatch, request: { name: string | null; method: string; path: string }): boolean {
  if (typeof match === 'string') {
    const pattern = asPattern(match)
    return pattern.test(request.name ?? '') || pattern.test(request.path)
  }
  const { method, path } = match
  if (method && method.toUpperCase() !== request.method) return false
  return path === undefined || asPattern(path).test(request.path)
}

export function createFaults(): Faults {
  let faults: Fault[] = []
  let nextId = 1
  const webhooks = noWebhookFaults()
  return {
    next(provider, match, effect, times = 1) {
      const id = nextId++
      faults.push({
        id,
        provider,
        match,
        left: times,
        effect: typeof effect === 'number' ? { status: effect } : effect,
      })
      return id
    },
    clear(id) {
      faults = id === undefined ? [] : faults.filter((fault) => fault.id !== id)
    },
    list: () => faults.map((fault) => ({ ...fault })),
    webhooks,
    resetWebhooks: () => void Object.assign(webhooks, noWebhookFaults()),
    take(request, provider = 'stripe') {
      const fault = faults.find((each) => each.provider === provider && suits(each.match, request))
      if (!fault) return undefined
      if (fault.left !== null) {
        fault.left -= 1
        if (fault.left <= 0) faults = faults.filter((other) => other !== fault)
      }
      return fault
    },
  }
}
