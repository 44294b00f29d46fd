import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export type CachedAnswer = { bytes: Buffer; etag: string; version: number }

const maxBytes = 24 * 1024 * 1024
/** Figures such as "in the last 30 days" move with time even when no row changes. */
const lifetimeMs = 30_000

/** Answers as bytes, each good as long as the version of the data it was read from. */
export function createResponseCache() {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: maxBytes,
    sizeCalculation: (answer) => answer.bytes.length + 512,
    ttl: lifetimeMs,
  })
  return {
    find(key: string, version: number): CachedAnswer | undefined {
      const answer = answers.get(key)
      return answer?.version === version ? answer : undefined
    },
    /** `version` is the one from before the data was read, so that a change meanwhile makes the answer stale. */
    keep(key: string, version: number, text: string): CachedAnswer {
      const bytes = Buffer.from(text)
      const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`
      const answer = { bytes, etag, version }
      answers.set(key, answer)
      return answer
    },
  }
}

export type ResponseCache = ReturnType<typeof createResponseCache>
