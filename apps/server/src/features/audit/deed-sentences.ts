import {
  backupOf,
  codeCreated,
  codeSwitched,
  credited,
  deed,
  deployed,
  deploymentCancelled,
  drilled,
  impersonated,
  linkCreated,
  linkSwitched,
  ofAccount,
  ofCoupon,
  ofInvoice,
  ofRecord,
  ofSite,
  ofSubscription,
  purged,
  refunded,
} from './audit-deeds.ts'
import { amountOf, named, type Told, text } from './audit-facts.ts'

/** Before it is sent its lines are known, and not always their sum. */
const forAmount = ({ after }: Told): string => {
  const amount = amountOf(after)
  return amount === null ? '' : ` for ${amount}`
}

/** Of deeds whose words say by themselves how they went. */
export const deedSentences: Record<string, (told: Told) => string> = {
  'backup.drill': drilled,
  'backup.restore': (told) => deed(['Restored', 'restore'], `the backup ${backupOf(told)}`, told),
  'backup.return': (told) => deed(['Undid', 'undo'], `the restore of ${backupOf(told)}`, told),
  'coupon.create': ofCoupon(['Created', 'create']),
  'coupon.delete': ofCoupon(['Deleted', 'delete']),
  'customer.delete': ofAccount(['Deleted', 'delete']),
  'customer.delete_at_stripe': ofAccount(['Deleted', 'delete'], '', ' at Stripe'),
  'customer.erase': ofAccount(['Erased', 'erase']),
  'customer.give_sla_credit': credited,
  'customer.restore': ofAccount(['Restored', 'restore']),
  'customer.suspend': ofAccount(['Suspended', 'suspend']),
  'customer.unsuspend': ofAccount(['Lifted', 'lift'], 'the suspension of '),
  'deployment.cancel': deploymentCancelled,
  'deployment.fail': (told) =>
    `The deployment of ${deployed(told)} failed: ${text(told.after['failure']) ?? 'unknown reason'}`,
  'domain.add': (told) => deed(['Added', 'add'], `${text(told.after['what']) ?? 'a domain'} to Cloudflare`, told),
  'domain.add_record': ofRecord(['Added', 'add']),
  'domain.change_setting': ofRecord(['Changed', 'change']),
  'domain.delete_record': ofRecord(['Deleted', 'delete']),
  'domain.edit_record': ofRecord(['Changed', 'change']),
  'domain.purge_cache': purged,
  'domain.undo_record': ofRecord(['Undid', 'undo'], 'the last change of '),
  'domain.undo_setting': ofRecord(['Undid', 'undo'], 'the last change of '),
  'impersonation.start': impersonated,
  'invoice.create': (told) =>
    deed(['Sent', 'send'], `an invoice${forAmount(told)} to ${named(told, 'customer')}`, told),
  'invoice.mark_uncollectible': ofInvoice(['Wrote off', 'write off']),
  'invoice.mark_paid': ofInvoice(['Marked', 'mark'], ' as paid'),
  'invoice.pay': ofInvoice(['Charged', 'charge']),
  'invoice.send': ofInvoice(['Sent', 'send']),
  'invoice.void': ofInvoice(['Voided', 'void']),
  'payment.refund': refunded,
  'payment_link.create': linkCreated,
  'payment_link.switch': linkSwitched,
  'promotion_code.create': codeCreated,
  'promotion_code.switch': codeSwitched,
  'site.resume': ofSite(['Resumed', 'resume']),
  'site.suspend': ofSite(['Suspended', 'suspend']),
  'site.update_checks': ofSite(['Changed', 'change'], 'the checks of '),
  'site.update_settings': ofSite(['Changed', 'change'], 'the configuration of '),
  'subscription.create': (told) =>
    deed(
      ['Subscribed', 'subscribe'],
      `${named(told, 'customer')} to ${text(told.after['plan_name']) ?? 'a plan'}`,
      told,
    ),
  'subscription.cancel': ofSubscription(['Cancelled', 'cancel']),
  'subscription.change_plan': ofSubscription(['Changed', 'change'], 'the plan of '),
  'subscription.pause': ofSubscription(['Paused', 'pause'], 'collection of '),
  'subscription.resume': ofSubscription(['Resumed', 'resume'], 'collection of '),
  'subscription.undo_cancel': ofSubscription(['Undid', 'undo'], 'the cancellation of '),
  'webhook_endpoint.create': (told) =>
    deed(['Created', 'create'], `the Stripe webhook ${text(told.after['url']) ?? ''}`.trimEnd(), told),
}
