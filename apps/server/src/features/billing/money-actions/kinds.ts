import type { MoneyAction } from '@agency/contract/billing'
import { moneyText } from '../../../platform/money-text.ts'
import type { ActionRow } from '../queries/money-actions.ts'

export type ActionKind = MoneyAction['kind']
export type About = Pick<ActionRow, 'kind' | 'target_id' | 'amount' | 'currency' | 'payload'>

type Words = {
  /** The action and the resource of its audit entries. */
  audit: string
  resource: string
  /** As it follows `a` or `the`: `refund of $12.00`. */
  name: (about: About) => string
  /** Where its outcome shows. */
  link: (about: About) => string
  /** It makes what it is about: until then its own id stands for that, afterwards the result's. */
  makes?: true
  /** Its payload says who somebody is: it is kept until the outcome is known, and no audit entry has it. */
  isPersonal?: true
  /** A repeat of the call under its key finds out at once what became of it. */
  settlesOnRepeat?: true
}

const payloadOf = ({ payload }: About) => payload as Record<string, unknown>
const money = ({ amount, currency }: About): string => moneyText(amount ?? 0, currency ?? 'usd')
const open = (screen: string, id: string): string => `/admin/${screen}?open=${encodeURIComponent(id)}`
const invoiceName = (about: About): string => `invoice ${payloadOf(about)['number'] ?? about.target_id}`
const invoicesOf = (about: About): string =>
  `${open('customers', String(payloadOf(about)['customer'] ?? about.target_id))}&tab=invoices`

const ofSubscription = (audit: string, name: string): Words => ({
  audit,
  resource: 'subscription',
  name: () => name,
  link: ({ target_id }) => open('subscriptions', target_id),
})

/** Before it is there, only the list can be shown. */
const customerLink = ({ target_id }: About): string =>
  target_id.startsWith('cus_') ? open('customers', target_id) : '/admin/customers'

const couponLink = '/admin/subscriptions?tab=coupons'
const couponName = (about: About): string => `the coupon ${payloadOf(about)['name'] ?? about.target_id}`
const codeName = (about: About): string => {
  const { code } = payloadOf(about)
  return code === undefined ? 'a promotion code' : `the promotion code ${code}`
}

const linksLink = '/admin/payments?tab=links'
const linkName = (about: About): string => {
  const plan = payloadOf(about)['plan_name']
  return plan === undefined ? 'a payment link' : `the payment link for ${plan}`
}

/** What every kind of action is called, and where it is written down and shown. */
export const kindWords: Record<ActionKind, Words> = {
  refund: {
    audit: 'payment.refund',
    resource: 'payment',
    name: (about) => `refund of ${money(about)}`,
    link: ({ target_id }) => open('payments', target_id),
  },
  cancel: {
    audit: 'subscription.cancel',
    resource: 'subscription',
    name: (about) => (payloadOf(about)['at'] === 'now' ? 'cancellation' : 'cancellation at the end of the period'),
    link: ({ target_id }) => open('subscriptions', target_id),
  },
  undo_cancel: ofSubscription('subscription.undo_cancel', 'undo of the cancellation'),
  pause: ofSubscription('subscription.pause', 'pause of collection'),
  resume: ofSubscription('subscription.resume', 'resumption of collection'),
  change_plan: ofSubscription('subscription.change_plan', 'plan change'),
  invoice_create: {
    audit: 'invoice.create',
    resource: 'customer',
    name: (about) => `delivery of a new invoice for ${money(about)}`,
    link: invoicesOf,
  },
  invoice_send: {
    audit: 'invoice.send',
    resource: 'invoice',
    name: (about) => `delivery of ${invoiceName(about)}`,
    link: invoicesOf,
  },
  invoice_pay: {
    audit: 'invoice.pay',
    resource: 'invoice',
    name: (about) => `charge of ${money(about)} for ${invoiceName(about)}`,
    link: invoicesOf,
  },
  invoice_mark_paid: {
    audit: 'invoice.mark_paid',
    resource: 'invoice',
    name: (about) => `marking of ${invoiceName(about)} as paid`,
    link: invoicesOf,
  },
  invoice_void: {
    audit: 'invoice.void',
    resource: 'invoice',
    name: (about) => `voiding of ${invoiceName(about)}`,
    link: invoicesOf,
  },
  invoice_uncollectible: {
    audit: 'invoice.mark_uncollectible',
    resource: 'invoice',
    name: (about) => `write-off of ${invoiceName(about)}`,
    link: invoicesOf,
  },
  subscription_create: {
    audit: 'subscription.create',
    resource: 'customer',
    name: (about) => `start of ${payloadOf(about)['plan_name'] ?? 'a subscription'}`,
    link: ({ target_id }) => `${open('customers', target_id)}&tab=subscriptions`,
  },
  customer_create: {
    audit: 'customer.create',
    resource: 'customer',
    name: () => 'creation of a customer',
    link: customerLink,
    ...{ makes: true, isPersonal: true, settlesOnRepeat: true },
  },
  customer_update: {
    audit: 'customer.update',
    resource: 'customer',
    name: () => 'change of a customer',
    link: customerLink,
    ...{ isPersonal: true, settlesOnRepeat: true },
  },
  sla_credit: {
    audit: 'customer.give_sla_credit',
    resource: 'customer',
    name: (about) => `SLA credit of ${money(about)}`,
    link: (about) => `/admin/incidents/${encodeURIComponent(String(payloadOf(about)['incident']))}?tab=credits`,
  },
  coupon_create: {
    audit: 'coupon.create',
    resource: 'coupon',
    name: (about) => `creation of ${couponName(about)}`,
    link: () => couponLink,
    ...{ makes: true, settlesOnRepeat: true },
  },
  coupon_delete: {
    audit: 'coupon.delete',
    resource: 'coupon',
    name: (about) => `deletion of ${couponName(about)}`,
    link: () => couponLink,
    settlesOnRepeat: true,
  },
  promotion_code_create: {
    audit: 'promotion_code.create',
    resource: 'coupon',
    name: (about) => `creation of ${codeName(about)}`,
    link: ({ target_id }) => `${couponLink}&open=${encodeURIComponent(target_id)}`,
    settlesOnRepeat: true,
  },
  promotion_code_switch: {
    audit: 'promotion_code.switch',
    resource: 'promotion_code',
    name: (about) => `${payloadOf(about)['active'] === true ? 'switch-on' : 'switch-off'} of ${codeName(about)}`,
    link: (about) => `${couponLink}&open=${encodeURIComponent(String(payloadOf(about)['coupon']))}`,
    settlesOnRepeat: true,
  },
  payment_link_create: {
    audit: 'payment_link.create',
    resource: 'payment_link',
    name: (about) => `creation of ${linkName(about)}`,
    link: () => linksLink,
    ...{ makes: true, settlesOnRepeat: true },
  },
  payment_link_switch: {
    audit: 'payment_link.switch',
    resource: 'payment_link',
    name: (about) => `${payloadOf(about)['active'] === true ? 'switch-on' : 'switch-off'} of ${linkName(about)}`,
    link: ({ target_id }) => `${linksLink}&open=${encodeURIComponent(target_id)}`,
    settlesOnRepeat: true,
  },
}

/** The database holds every kind that was ever written as text. */
const names = ['number', 'name', 'code', 'plan_name']

/** What the entry of its end calls it by, which is read without that of its beginning. */
export function namesOf(about: About): Record<string, unknown> {
  if (wordsOf(about).isPersonal) return {}
  return Object.fromEntries(Object.entries(payloadOf(about)).filter(([name]) => names.includes(name)))
}

export const wordsOf = ({ kind }: Pick<ActionRow, 'kind'>): Words => kindWords[kind as ActionKind]
