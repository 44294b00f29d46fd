import { LRUCache } from 'lru-cache'
import type { AppContext } from '../../context.ts'
import { createLane } from '../../platform/lane.ts'
import { type Asked, type Facts, findFacts } from './queries/audience.ts'
import { findFlags, noteEvaluated } from './queries/flags.ts'
import { findOrigins } from './queries/origins.ts'
import type { Rule, Subject } from './rollout.ts'
import { ruleOf } from './rules.ts'

/** All that is not archived, by name, and the pages that may ask. */
export type Known = {
  list: readonly Rule[]
  byId: ReadonlyMap<string, Rule>
  byName: ReadonlyMap<string, Rule>
  origins: ReadonlySet<string>
}

const topics = ['feature_flags', 'api_keys'] as const
/** Older than this, what is known is read again behind the answer: a change of which no news came holds within five seconds. */
const freshMs = 2000
/** Older than this, an answer waits for it. */
const trustMs = 4000
/** A database that is away is not asked by every call: what was known last holds. */
const retryMs = 1000
const factsMs = 10_000
const mostFacts = 20_000
/** A database that takes longer over some does not hold up those who ask later. */
const longAnswerMs = 250
const writeEveryMs = 10_000

/** What calls are answered from, in memory: the flags, and who the sites are that ask. */
export function createFlagStore(ctx: AppContext) {
  let known: (Known & { version: number; readAt: number }) | undefined
  let reading: Promise<Known> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  let asked = new Set<string>()
  let isPlanned = false
  let gathered: Asked[] = []
  let answer: Promise<Facts[]> | undefined
  const inTurn = createLane(longAnswerMs)

  const facts = new LRUCache<string, Subject, Asked>({
    // By their size: with a `max` it would make room for all of them at once.
    ...{ maxSize: mostFacts, sizeCalculation: () => 1 },
    ...{ ttl: factsMs, allowStale: true, allowStaleOnFetchRejection: true },
    fetchMethod: async (_key, _stale, { context }) => ({ key: null, ...(await factsOf(context)) }),
  })

  /** Who asks while the database answers others is asked for together: a fleet whose pages all ask at once takes one connection. */
  function factsOf(who: Asked): Promise<Facts> {
    const place = gathered.push(who) - 1
    answer ??= inTurn(() => {
      const asking = gathered
      gathered = []
      answer = undefined
      return findFacts(ctx, asking)
    })
    return answer.then((found) => found[place] ?? { ...who, plans: [], ranks: {} })
  }

  async function read(): Promise<Known> {
    const version = ctx.changes.version(topics)
    const readAt = performance.now()
    try {
      const rows = (await findFlags(ctx)).filter(({ archived_at }) => archived_at === null)
      const list = rows.map(ruleOf)
      const origins = new Set(await findOrigins(ctx))
      if (known && known.version !== version) facts.clear()
      known = {
        ...{ list, origins, version, readAt },
        byId: new Map(list.map((rule) => [rule.id, rule])),
        byName: new Map(list.map((rule) => [rule.name, rule])),
      }
      return known
    } catch (error) {
      failedAt = readAt
      if (!known) throw error
      ctx.log.warn({ err: error }, 'feature flags are answered as they were known last')
      return known
    }
  }

  function readOnce(): Promise<Known> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function write(): Promise<void> {
    isPlanned = false
    const ids = [...asked]
    asked = new Set()
    await noteEvaluated(ctx, ids, new Date(ctx.clock())).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'could not note that feature flags were read'),
    )
  }

  return {
    /** Without a promise where what is known is new enough. */
    flags(): Known | Promise<Known> {
      const now = performance.now()
      if (!known) return readOnce()
      if (now - failedAt < retryMs) return known
      const age = now - known.readAt
      if (known.version !== ctx.changes.version(topics) || age > trustMs) return readOnce()
      if (age > freshMs) void readOnce()
      return known
    },
    async subjectOf(key: string | null, plans: readonly string[], who: Asked): Promise<Subject> {
      const found = await facts.fetch(JSON.stringify(who), { context: who })
      if (!found) throw new Error('the facts of who asks were not found out')
      return { ...found, key, plans: plans.length === 0 ? found.plans : [...found.plans, ...plans] }
    },
    noteAsked(rules: Iterable<Rule>): void {
      for (const { id } of rules) asked.add(id)
      if (isPlanned) return
      isPlanned = true
      setTimeout(() => void write(), writeEveryMs).unref()
    },
    write,
  }
}
