import { insertDeployment } from '../../../../test/deployment-rows.ts'
import { insertRows } from '../../../../test/rows.ts'
import { abandoned, days, hours, type Make, openCheckout, pending } from './part.ts'

/** Makes it, and says which row it must become. */
type Drift = { make: Make; row: (n: number) => string; variant: string; money: boolean }

const site = (n: number) => `site_${String(n).padStart(16, '0')}`
const ofSite = (kind: string) => (n: number) => `${kind}:${site(n)}`
/** Where money and reality do not agree. */
export const drifts: Record<string, Drift> = {
  'a site without a customer': {
    make: (p) => p.addSite({ customer_id: null }),
    ...{ row: ofSite('unpaid'), variant: 'no_customer', money: false },
  },
  'a site of somebody who never paid': {
    make: async (p) => {
      await p.addCustomer()
      await p.addSite()
    },
    ...{ row: ofSite('unpaid'), variant: 'never_paid', money: false },
  },
  'a site whose checkout was abandoned after it had gone live': {
    make: async (p) => {
      await p.addCustomer()
      await p.addSubscription(abandoned)
      await p.addCheckout(openCheckout)
      await p.addSite({ health_status: 'degraded' })
    },
    ...{ row: ofSite('unpaid'), variant: 'never_paid', money: false },
  },
  'a site whose dunning is over': {
    make: (p) => p.paying({}, { status: 'unpaid', stripe_status: 'unpaid', mrr: 0 }),
    ...{ row: ofSite('unpaid'), variant: 'dunning_over', money: true },
  },
  'a site whose trial ended without a way to pay': {
    make: (p) => p.paying({}, { status: 'paused', stripe_status: 'paused', mrr: 0, running_from: null }),
    ...{ row: ofSite('unpaid'), variant: 'trial_over', money: true },
  },
  'a site after its subscription': {
    make: async (p) => {
      await p.addCustomer()
      await p.addEnded()
      await p.addSite()
    },
    ...{ row: ofSite('ended'), variant: 'cancelled', money: true },
  },
  'a site that was paid once, long before its subscription ended': {
    make: async (p) => {
      await p.addCustomer()
      await p.addPayment({ created_at: days(150) })
      await p.addEnded()
      await p.addSite()
    },
    ...{ row: ofSite('ended'), variant: 'cancelled', money: true },
  },
  'a site whose last period was refunded': {
    make: async (p) => {
      await p.addCustomer()
      await p.addEnded({ current_period_start: days(6), current_period_end: days(-25) })
      await p.addPayment(
        { status: 'refunded', amount_refunded: 4900, created_at: days(6) },
        { subscription_id: `sub_${p.n}`, created_at: days(6) },
      )
      await insertRows(p.pool, 'refunds', [{ id: `re_${p.n}`, payment_id: `pi_${p.n}`, created_at: days(5) }])
      await p.addSite()
    },
    ...{ row: ofSite('ended'), variant: 'refunded', money: true },
  },
  'a site that was bought once and refunded': {
    make: async (p) => {
      await p.addCustomer()
      await p.addPayment({ status: 'refunded', amount_refunded: 4900 })
      await p.addSite()
    },
    ...{ row: ofSite('ended'), variant: 'refunded', money: false },
  },
  'a site that is suspended here and served there': {
    make: async (p) => {
      await p.addCustomer()
      await p.addEnded()
      await p.addSite({ provider: null, provider_settings: '{}' })
      await p.suspend('still_served')
    },
    ...{ row: ofSite('ended'), variant: 'still_served', money: true },
  },
  'a paid site that is down': {
    make: async (p) => {
      await p.paying()
      await p.setHealth('down', hours(5))
    },
    ...{ row: ofSite('undelivered'), variant: 'down', money: true },
  },
  'a paid site that was never deployed': {
    make: (p) => p.paying(pending),
    ...{ row: ofSite('undelivered'), variant: 'never_deployed', money: true },
  },
  'a paid site whose only deployment failed': {
    make: async (p) => {
      await p.paying(pending)
      await insertDeployment(p.pool, { id: `dep_${p.n}`, site: p.site, at: days(2), status: 'failed' })
    },
    ...{ row: ofSite('undelivered'), variant: 'never_deployed', money: true },
  },
  'a paid site that is suspended': {
    make: async (p) => {
      await p.paying()
      await p.suspend('offline')
    },
    ...{ row: ofSite('undelivered'), variant: 'suspended', money: true },
  },
  'a site that was bought and never made': {
    make: async (p) => {
      await p.addCustomer()
      await p.addSubscription()
      await p.addCheckout()
    },
    ...{ row: (n) => `undelivered:cs_${n}`, variant: 'no_site', money: true },
  },
  'a zone without a site': {
    make: (p) => p.addZone(),
    ...{ row: (n) => `zone:zone_${n}`, variant: 'never_had_site', money: false },
  },
  'a zone whose site was deleted': {
    make: async (p) => {
      await p.addCustomer()
      await p.addSite({ status: 'deleted', deleted_at: days(4) })
      await p.addZone()
    },
    ...{ row: (n) => `zone:zone_${n}`, variant: 'site_deleted', money: false },
  },
  'a domain that expires under a subscription': {
    make: async (p) => {
      await p.paying()
      await p.register(days(-12))
    },
    ...{ row: (n) => `domain:shop-${n}.example`, variant: 'expiring', money: true },
  },
  'a domain that has expired under a subscription': {
    make: async (p) => {
      await p.paying()
      await p.register(days(2))
    },
    ...{ row: (n) => `domain:shop-${n}.example`, variant: 'expired', money: true },
  },
}
