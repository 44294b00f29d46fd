/** A failure is looked at again so soon, until it is confirmed or was a moment. */
export const confirmAfterMs = 5000

/** Where in its interval a site is looked at: anywhere, and always the same. */
export function phaseOf(siteId: string, intervalMs: number): number {
  let hash = 2_166_136_261
  for (let at = 0; at < siteId.length; at++) hash = Math.imul(hash ^ siteId.charCodeAt(at), 16_777_619)
  return (hash >>> 0) % intervalMs
}

/**
 * When a site is looked at next: after its interval, or up to a quarter of it sooner to come nearer to its own phase. So
 * sites that were due together, after an import or a pause, are spread over the interval within a few looks.
 */
export function nextLookAt(siteId: string, atMs: number, intervalMs: number): Date {
  const latest = atMs + intervalMs
  const beyondPhase = (latest - phaseOf(siteId, intervalMs)) % intervalMs
  return new Date(latest - Math.min(beyondPhase, intervalMs / 4))
}
