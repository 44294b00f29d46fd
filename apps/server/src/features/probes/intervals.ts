/** How often each site is looked at. */
export const intervalMs = 60_000

/** The clock of the jobs is not exact: a site is due a little earlier, and a look counts a little longer. */
const slackMs = 30_000
export const dueAfterMs = intervalMs - slackMs / 2
export const staleAfterMs = 2 * intervalMs + slackMs

/** A look takes no longer; after that its claim is anybody's. */
export const lookWithinMs = 10_000
export const claimMs = 3 * lookWithinMs
