const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** What is younger than this is on its way, not drift. */
export const graceMs = {
  /** A zone, a purchase, a subscription or a site that is still to be deployed: somebody is at it. */
  made: dayMs,
  /** A site that is served already: its customer is about to be entered, or to pay. */
  served: hourMs,
  /** A subscription that has just ended: taking a site off takes a moment. */
  ended: hourMs,
  /** An outage; until then it is an alert only. */
  down: 30 * minuteMs,
  /** A bank that has not confirmed a payment yet. */
  pending: 14 * dayMs,
}

/** What was seen longer ago than this is not known. */
export const knownForMs = { check: 2 * hourMs, registry: 3 * dayMs, zones: dayMs }

/** How long before its end a registration is drift. */
export const expiresWithinMs = 30 * dayMs
