import type { Bucket } from '../figures.ts'
import { dayMs } from '../period.ts'
import { settleMs } from '../provider/traffic.ts'

const nothing = {
  requests: 0,
  cached_requests: 0,
  bytes: 0,
  cached_bytes: 0,
  threats: 0,
  page_views: 0,
  unique_visitors: 0,
}

/**
 * Cloudflare leaves out days without traffic: between the first day that has any and the end of what was asked they are
 * known to be quiet. Before it the domain may not have been there, so nothing is said.
 */
export function withQuietDays(
  read: readonly Bucket[],
  { since, until }: { since: number; until: number },
  firstKept: number | undefined,
  now: number,
): Bucket[] {
  const first = Math.max(
    since,
    Math.min(firstKept ?? Number.POSITIVE_INFINITY, read[0]?.at ?? Number.POSITIVE_INFINITY),
  )
  // What a sample did not see may still have been there.
  const isSampled = read.some((bucket) => bucket.isSampled)
  const byDay = new Map(read.map((bucket) => [bucket.at, bucket]))
  for (let at = first; at <= until; at += dayMs) {
    if (!byDay.has(at)) byDay.set(at, { ...nothing, at, isSampled, isPartial: now < at + dayMs + settleMs })
  }
  return [...byDay.values()].sort((left, right) => left.at - right.at)
}
