import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { type Caches, createMemoryCache } from '../caches.ts'

export type CachedAnswer = { bytes: Buffer; etag: string; version: number; packed?: Buffer | 'soon' }

const maxBytes = 24 * 1024 * 1024
/** Figures such as "in the last 30 days" move with time even when no row changes. */
const lifetimeMs = 30_000
/** Below this, packing saves no packet. */
const worthPacking = 1400
const toGzip = promisify(gzip)
const scratch = Buffer.allocUnsafeSlow(512 * 1024)
/** A character of UTF-16 takes at most three bytes. */
const longestForScratch = Math.floor(scratch.length / 3)

/** `Buffer.from` reads a text twice, first to learn how long it becomes; a list that no cache holds feels that. */
function toBytes(text: string): Buffer {
  if (text.length > longestForScratch) return Buffer.from(text)
  const length = scratch.write(text)
  const bytes = Buffer.allocUnsafeSlow(length)
  scratch.copy(bytes, 0, 0, length)
  return bytes
}

/** Answers as bytes, each good as long as the version of the data it was read from. */
export function createResponseCache(caches: Caches, now = () => performance.now()) {
  const { lru: answers, counts } = createMemoryCache<CachedAnswer>(caches, {
    name: 'answers',
    maxSize: maxBytes,
    // The packed form comes later and is smaller than the bytes; JSON packs to less than half.
    sizeCalculation: (answer) => Math.ceil(answer.bytes.length * 1.5) + 512,
    ttl: lifetimeMs,
    ttlResolution: 1000,
    perf: { now },
  })

  const loading = new Map<string, { version: number; answer: Promise<CachedAnswer> }>()

  let isPurgePlanned = false

  /** What has run out is otherwise let go only when somebody asks for it again, or when there is no room. */
  function planPurge(): void {
    if (isPurgePlanned) return
    isPurgePlanned = true
    setTimeout(() => {
      isPurgePlanned = false
      answers.purgeStale()
      if (answers.size > 0) planPurge()
    }, lifetimeMs).unref()
  }

  /** `version` is the one from before the data was read, so that a change meanwhile makes the answer stale. */
  function keep(key: string, version: number, text: string): CachedAnswer {
    const bytes = toBytes(text)
    // Weak, because the packed form carries the same mark.
    const answer: CachedAnswer = { bytes, etag: `W/"${hash('sha1', bytes, 'base64url')}"`, version }
    answers.set(key, answer)
    planPurge()
    return answer
  }

  return {
    find(key: string, version: number): CachedAnswer | undefined {
      const answer = answers.get(key)
      if (answer?.version !== version) {
        counts.misses++
        return undefined
      }
      counts.hits++
      return answer
    },
    /** Many who ask for the same at once, as after a change, cost one read. */
    load(key: string, version: number, read: () => Promise<string>): Promise<CachedAnswer> {
      const other = loading.get(key)
      if (other?.version === version) return other.answer
      const began = now()
      const answer = read().then((text) => {
        counts.loads++
        counts.loadMs += now() - began
        return keep(key, version, text)
      })
      const entry = { version, answer }
      loading.set(key, entry)
      const done = () => {
        if (loading.get(key) === entry) loading.delete(key)
      }
      answer.then(done, done)
      return answer
    },
  }
}

export type ResponseCache = ReturnType<typeof createResponseCache>

/** The gzip form of an answer once it is there. The first caller who could take it starts the work and does not wait. */
export function packedForm(answer: CachedAnswer): Buffer | undefined {
  if (answer.bytes.length < worthPacking) return undefined
  if (answer.packed === undefined) {
    answer.packed = 'soon'
    toGzip(answer.bytes, { level: constants.Z_BEST_SPEED }).then(
      (packed) => {
        // zlib hands out a part of a chunk of 16 KB, all of which would be kept with it.
        const own = Buffer.allocUnsafeSlow(packed.length)
        packed.copy(own)
        answer.packed = own
      },
      () => {},
    )
  }
  return answer.packed === 'soon' ? undefined : answer.packed
}
