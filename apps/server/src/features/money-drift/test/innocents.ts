import { insertDeployment } from '../../../../test/deployment-rows.ts'
import { insertRows } from '../../../../test/rows.ts'
import { abandoned, ago, comp, days, hours, type Make, openCheckout, pastDue, pending, trial } from './part.ts'

/** What looks like it and is none. */
export const innocents: Record<string, Make> = {
  'paid and served': (p) => p.paying(),
  'an abandoned checkout': async (p) => {
    await p.addCustomer()
    await p.addSubscription(abandoned)
    await p.addCheckout(openCheckout)
  },
  'an abandoned checkout with a site that waits for it': async (p) => {
    await p.addCustomer()
    await p.addCheckout(openCheckout)
    await p.addSite(pending)
  },
  'a first payment that is being made': (p) =>
    p.paying(
      {},
      { status: 'incomplete', stripe_status: 'incomplete', mrr: 0, created_at: hours(2), running_from: null },
    ),
  'a comp that is served': (p) => p.paying({}, comp),
  'a comp that is down': async (p) => {
    await p.paying({}, comp)
    await p.setHealth('down', hours(5))
  },
  'a comp whose domain expires': async (p) => {
    await p.paying({}, comp)
    await p.register(days(-12))
  },
  'an account that is free by agreement': async (p) => {
    await p.addCustomer({ account_type_hint: 'free' })
    await p.addSite()
  },
  'a trial that is served': (p) => p.paying({}, trial),
  'a trial that is down': async (p) => {
    await p.paying({}, trial)
    await p.setHealth('down', hours(5))
  },
  'past due and served': (p) => p.paying({}, pastDue),
  'past due and down': async (p) => {
    await p.paying({}, pastDue)
    await p.setHealth('down', hours(5))
  },
  'past due and suspended': async (p) => {
    await p.paying({}, pastDue)
    await p.suspend('offline')
  },
  'cancelled and paid until its period ends': async (p) => {
    await p.addCustomer()
    await p.addEnded({ current_period_start: days(10), current_period_end: days(-20) })
    await p.addPayment({ created_at: days(10) }, { subscription_id: `sub_${p.n}`, created_at: days(10) })
    await p.addSite()
  },
  'cancels at the end of its period': (p) => p.paying({}, { cancel_at_period_end: true }),
  'cancelled minutes ago': async (p) => {
    await p.addCustomer()
    await p.addEnded({ ended_at: ago(10 * 60_000), cancelled_at: ago(10 * 60_000), current_period_end: ago(0) })
    await p.addSite()
  },
  'a site that was made minutes ago': (p) => p.addSite({ customer_id: null, created_at: ago(600_000) }),
  'a paid site that was made minutes ago': (p) => p.paying({ ...pending, created_at: ago(600_000) }),
  'a subscription of today': (p) => p.paying(pending, { created_at: hours(3), running_from: hours(3) }),
  'a first deployment that is under way': async (p) => {
    await p.paying(pending)
    await insertDeployment(p.pool, { id: `dep_${p.n}`, site: p.site, at: ago(60_000), status: 'queued' })
  },
  'down while it is deployed': async (p) => {
    await p.paying()
    await p.setHealth('down', hours(5))
    await insertDeployment(p.pool, { id: `dep_${p.n}`, site: p.site, at: ago(60_000), status: 'queued' })
  },
  'down for five minutes': async (p) => {
    await p.paying()
    await p.setHealth('down', ago(300_000))
  },
  'down in a maintenance window': async (p) => {
    await p.paying()
    await p.setHealth('down', hours(2))
    await p.maintain()
  },
  'served unpaid in a maintenance window': async (p) => {
    await p.addSite({ customer_id: null })
    await p.maintain()
  },
  'in maintenance by hand': (p) => p.paying({ status: 'maintenance', health_status: 'down' }),
  'unpaid and unknown': (p) => p.addSite({ customer_id: null, health_status: 'unknown' }),
  'unpaid and down': async (p) => {
    await p.addSite({ customer_id: null })
    await p.setHealth('down', hours(5))
  },
  'unpaid, and looked at too long ago': (p) => p.addSite({ customer_id: null, health_checked_at: days(1) }),
  'paid and unknown': async (p) => {
    await p.paying()
    await p.setHealth('unknown', hours(5))
  },
  'down when it was last looked at, long ago': async (p) => {
    await p.paying({ health_checked_at: days(1) })
    await p.setHealth('down', days(2))
  },
  'collection is paused, and it is down': async (p) => {
    await p.paying({}, { pause_collection: 'void' })
    await p.setHealth('down', hours(5))
  },
  'collection is paused': (p) => p.paying({}, { pause_collection: 'void' }),
  'ended and suspended, on its way offline': async (p) => {
    await p.addCustomer()
    await p.addEnded()
    await p.addSite()
    await p.suspend('suspending')
  },
  'ended and offline': async (p) => {
    await p.addCustomer()
    await p.addEnded()
    await p.addSite()
    await p.suspend('offline')
  },
  'bought once and kept': async (p) => {
    await p.addCustomer()
    await p.addPayment()
    await p.addSite()
  },
  'bought once, the bank has not confirmed yet': async (p) => {
    await p.addCustomer()
    await p.addPayment({ status: 'processing', amount_captured: 0, created_at: days(3) })
    await p.addSite()
  },
  'an invoice by hand that is not due': async (p) => {
    await p.addCustomer()
    await insertRows(p.pool, 'invoices', [
      {
        ...{ id: `in_${p.n}`, customer_id: p.customer, status: 'open', amount_paid: 0, amount_remaining: 1000 },
        ...{ created_at: days(5), due_at: days(-9) },
      },
    ])
    await p.addSite()
  },
  'a customer that the mirror does not know yet': (p) => p.addSite(),
  'a status of which nobody knows what it means': (p) => p.paying({}, { status: 'unknown', stripe_status: 'new' }),
  'bought, and the shop wrote its address': async (p) => {
    await p.addCustomer()
    await p.addSubscription()
    await p.addCheckout({ metadata: { site_name: 'Shop', production_url: 'https://shop.example/' } })
  },
  'bought an hour ago': async (p) => {
    await p.addCustomer()
    await p.addSubscription({ created_at: hours(1), running_from: hours(1) })
    await p.addCheckout({ created_at: hours(1) })
  },
  'pays for what is no site': async (p) => {
    await p.addCustomer()
    await p.addSubscription()
    await p.addCheckout({ metadata: {} })
  },
  'a zone with a site': async (p) => {
    await p.paying()
    await p.addZone()
  },
  'a zone with a site below': async (p) => {
    await p.paying({ domain: `www.${p.domain}` })
    await p.addZone()
  },
  'a zone that a site is deployed to': async (p) => {
    await p.paying({ domain: `other-${p.n}.test`, deployment_url: `https://app.${p.domain}/` })
    await p.addZone()
  },
  'a zone that is being set up': (p) => p.addZone({ status: 'pending' }),
  'a zone of today': (p) => p.addZone({ created_on: hours(2) }),
  'a paused zone': (p) => p.addZone({ paused: true }),
  'a zone of another connection': (p) => p.addZone({ connection: 'another' }),
  'a domain that expires next year': async (p) => {
    await p.paying()
    await p.register(days(-300))
  },
  'a domain that expires after its customer has left': async (p) => {
    await p.paying({}, { cancel_at_period_end: true, current_period_end: days(-5) })
    await p.register(days(-12))
  },
  'a domain whose registry does not answer': async (p) => {
    await p.paying()
    await p.register(days(-12), { problem: 'The registry did not answer' })
  },
  'a domain of nobody': async (p) => {
    await p.addSite({ customer_id: null, health_status: 'unknown' })
    await p.register(days(-12))
  },
}
