import { fetchFailure } from '../../lib/fetch-failure.ts'
import type { ApiError } from '../../lib/problems.ts'
import type { FailureWords } from '../../ui/ListFailure.tsx'

/** Of what could not be fetched: payments, stats. */
export const billingFailure =
  (what: string) =>
  (error: ApiError): FailureWords => ({
    text: `Failed to load Stripe data: ${fetchFailure(what, error)}. Please check the console for details.`,
    stale: `Showing old ${what}:`,
  })

/** What stands in the place of rows. */
export const noneYet = (many: string) => `No ${many} yet. They appear here after the first one at Stripe.`
