const slotMs = 10_000
const slotCount = 30
const bucketCount = 220
const smallestMs = 0.1
/** Each bucket ends 6 % above the one before it, so a percentile is at most 6 % too high. */
const growth = Math.log(1.06)

type Slot = { index: number; requests: number; errors: number; totalMs: number; buckets: Uint32Array }

export type RequestFigures = { requests: number; errors: number; meanMs: number | null; p95Ms: number | null }

/** Of one minute; the percentiles are null when there was no request. */
export type MinuteFigures = {
  requests: number
  errors: number
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
}

const slotsPerMinute = 60_000 / slotMs

const bucketOf = (ms: number): number =>
  ms <= smallestMs ? 0 : Math.min(bucketCount - 1, Math.ceil(Math.log(ms / smallestMs) / growth))

/** Counts requests in slots of ten seconds; the figures are those of the last five minutes. */
function createRequestMeter(clock: () => number) {
  const slots: Slot[] = Array.from({ length: slotCount }, () => ({
    index: -1,
    requests: 0,
    errors: 0,
    totalMs: 0,
    buckets: new Uint32Array(bucketCount),
  }))

  function slotAt(now: number): Slot {
    const index = Math.floor(now / slotMs)
    const slot = slots[index % slotCount]!
    if (slot.index !== index) {
      slot.index = index
      slot.requests = slot.errors = slot.totalMs = 0
      slot.buckets.fill(0)
    }
    return slot
  }

  return {
    record(durationMs: number, status: number): void {
      const slot = slotAt(clock())
      slot.requests++
      slot.totalMs += durationMs
      if (status >= 500) slot.errors++
      slot.buckets[bucketOf(durationMs)]!++
    },
    figures(): RequestFigures {
      const oldest = Math.floor(clock() / slotMs) - slotCount
      const recent = slots.filter((slot) => slot.index > oldest)
      const sum = (of: (slot: Slot) => number) => recent.reduce((total, slot) => total + of(slot), 0)
      const requests = sum((slot) => slot.requests)
      if (requests === 0) return { requests: 0, errors: 0, meanMs: null, p95Ms: null }
      return {
        requests,
        errors: sum((slot) => slot.errors),
        meanMs: sum((slot) => slot.totalMs) / requests,
        p95Ms: percentile(recent, Math.ceil(requests * 0.95)),
      }
    },
    /** Of the minute that begins then; of the last four that are over. */
    minute(startMs: number): MinuteFigures {
      const first = Math.floor(startMs / slotMs)
      const own = slots.filter(({ index }) => index >= first && index < first + slotsPerMinute)
      const requests = own.reduce((total, slot) => total + slot.requests, 0)
      const at = (share: number) => (requests === 0 ? null : percentile(own, Math.ceil(requests * share)))
      const errors = own.reduce((total, slot) => total + slot.errors, 0)
      return { requests, errors, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) }
    },
  }
}

type EndpointSlot = { method: string; path: string; requests: number; errors: number; buckets: Uint32Array }

export type EndpointFigures = Pick<EndpointSlot, 'method' | 'path' | 'requests' | 'errors'> & {
  p50_ms: number
  p95_ms: number
  p99_ms: number
}

/** Counts the requests of each call since the start: there are as many as routes, whatever is asked of them. */
function createEndpointMeter(since: number) {
  const slots = new Map<string, EndpointSlot>()
  return {
    since,
    /** `path` is the pattern of the route, never the address that was asked. */
    record(method: string, path: string, durationMs: number, status: number): void {
      const key = `${method} ${path}`
      let slot = slots.get(key)
      if (!slot) {
        slot = { method, path, requests: 0, errors: 0, buckets: new Uint32Array(bucketCount) }
        slots.set(key, slot)
      }
      slot.requests++
      if (status >= 500) slot.errors++
      slot.buckets[bucketOf(durationMs)]!++
    },
    /** Those that are asked most come first. */
    figures(): EndpointFigures[] {
      return [...slots.values()]
        .sort((a, b) => b.requests - a.requests || a.path.localeCompare(b.path))
        .map((slot) => {
          const at = (share: number) => percentile([slot], Math.ceil(slot.requests * share))
          const { method, path, requests, errors } = slot
          return { method, path, requests, errors, p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) }
        })
    },
  }
}

function percentile(slots: readonly Pick<Slot, 'buckets'>[], rank: number): number {
  let seen = 0
  for (let bucket = 0; bucket < bucketCount; bucket++) {
    for (const slot of slots) seen += slot.buckets[bucket]!
    if (seen >= rank) return smallestMs * Math.exp(growth * bucket)
  }
  return smallestMs * Math.exp(growth * bucketCount)
}

/** What one process measures of itself while it answers. */
export function createMetrics(clock: () => number) {
  return {
    requests: createRequestMeter(clock),
    endpoints: createEndpointMeter(clock()),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
