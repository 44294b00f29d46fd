import type { DriftClass, DriftEvidence, DriftRepair, DriftVariant } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import type { Tone } from '../../theme/palette.ts'

export const classLabels: Record<DriftClass, string> = {
  unpaid: 'Live, not paid',
  undelivered: 'Paid, not delivered',
  ended: 'Ended, still live',
  zone: 'Unused zones',
  domain: 'Expiring domains',
}
export const driftClasses = Object.keys(classLabels) as DriftClass[]

/** What does not agree, as the chip of a row says it. */
export const variantChips: Record<DriftVariant, { label: string; tone: Tone }> = {
  no_customer: { label: 'Live, no customer', tone: 'warning' },
  never_paid: { label: 'Live, never paid', tone: 'warning' },
  dunning_over: { label: 'Live, all retries failed', tone: 'error' },
  trial_over: { label: 'Live, trial over', tone: 'warning' },
  down: { label: 'Paid, but down', tone: 'error' },
  never_deployed: { label: 'Paid, never deployed', tone: 'error' },
  suspended: { label: 'Paid, but suspended', tone: 'error' },
  no_site: { label: 'Bought, not set up', tone: 'error' },
  cancelled: { label: 'Cancelled, still live', tone: 'warning' },
  refunded: { label: 'Refunded, still live', tone: 'warning' },
  still_served: { label: 'Suspended, still live', tone: 'warning' },
  never_had_site: { label: 'Zone without a site', tone: 'neutral' },
  site_deleted: { label: 'Zone of a deleted site', tone: 'neutral' },
  expiring: { label: 'Domain expires', tone: 'warning' },
  expired: { label: 'Domain expired', tone: 'error' },
}

/** What the money of a row is: what comes in although…, or what came in until… */
export const moneyMeanings: Record<DriftClass, string> = {
  unpaid: 'Unpaid per month',
  undelivered: 'Paid per month',
  ended: 'Paid per month before',
  zone: 'Per month',
  domain: 'Paid per month',
}

export const sourceLabels: Record<DriftEvidence['source'], string> = {
  stripe: 'Stripe',
  check: 'Site check',
  console: 'This console',
  cloudflare: 'Cloudflare',
  registry: 'Domain registry',
}

type Repair = { label: string; hrefOf: (target: string) => string }

/** Each leads to where the console does it; the dialog asks before anything happens. */
export const repairs: Record<DriftRepair['kind'], Repair> = {
  assign_customer: { label: 'Assign a customer', hrefOf: (id) => paths.siteAct(id, 'edit') },
  suspend_site: { label: 'Suspend site', hrefOf: (id) => paths.siteAct(id, 'suspend') },
  resume_site: { label: 'Resume site', hrefOf: (id) => paths.siteAct(id, 'resume') },
  deploy_site: { label: 'Deploy', hrefOf: paths.siteDeployments },
  delete_site: { label: 'Delete site', hrefOf: (id) => paths.siteAct(id, 'delete') },
  add_site: { label: 'Add a site', hrefOf: paths.newSite },
  open_site: { label: 'Open site', hrefOf: paths.site },
  open_zone: { label: 'Open domain', hrefOf: paths.domain },
  open_subscription: { label: 'Open subscription', hrefOf: paths.subscription },
  reset_purchase: { label: 'Reset purchase', hrefOf: paths.purchaseResetOf },
}
