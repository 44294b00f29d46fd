import type { AlertSeverity } from '@agency/contract/monitoring'

type NoticeRule = {
  /** The type of the notifications that it is about. */
  key: string
  name: string
  description: string
  subject: 'site' | 'billing' | 'console'
  severity: AlertSeverity
}

const rule = <const Key extends string>(
  key: Key,
  subject: NoticeRule['subject'],
  severity: AlertSeverity,
  name: string,
  description: string,
) => ({ key, subject, severity, name, description })

/** What is told when it happens. Unlike an alert it does not stand, so there is nothing to acknowledge. */
export const noticeRules = [
  rule('payment.failed', 'billing', 'warning', 'Payment failed', 'A payment was declined or did not go through'),
  rule('dispute.opened', 'billing', 'error', 'Payment disputed', 'A customer disputes a payment'),
  rule('refund.failed', 'billing', 'error', 'Refund failed', 'The bank returned a refund'),
  rule('money_action.failed', 'billing', 'error', 'Billing action failed', 'Confirmed after a lost answer'),
  rule('money_action.done', 'billing', 'info', 'Billing action done', 'Confirmed after a lost answer'),
  rule('import.finished', 'billing', 'info', 'Stripe import finished', 'The import from Stripe is complete'),
  rule('import.failed', 'billing', 'error', 'Stripe import failed', 'The import from Stripe ended early'),
  rule(
    'event.dead',
    'billing',
    'error',
    'Stripe event not applied',
    'A change could not be applied after several tries',
  ),
  rule('object.unreadable', 'billing', 'warning', 'Unreadable Stripe object', 'Stripe sent an incomplete object'),
  rule(
    'webhook.other_mode',
    'billing',
    'warning',
    'Stripe events of the other mode',
    'Test events at a live console, or the reverse',
  ),
  rule('mirror.drift', 'billing', 'warning', 'Stripe data out of date', 'The daily comparison fixed differences'),
  rule(
    'lifecycle.failed',
    'billing',
    'error',
    'Customer change stuck',
    'A step of a suspension, deletion or restore failed',
  ),
  rule('customer.unsuspended', 'billing', 'info', 'Suspension lifted', 'The overdue invoices were paid'),
  rule('site.suspension', 'site', 'error', 'Site suspension stuck', 'A site could not be taken offline or online'),
  rule('deployment.failed', 'site', 'error', 'Deployment failed', 'A deployment or rollback of a site failed'),
  rule('audit.broken', 'console', 'error', 'Audit log not intact', 'The tamper check found a break or no anchor'),
  rule('audit.head_unsent', 'console', 'warning', 'Audit head not sent', 'The daily audit head did not arrive'),
  rule('api_key.expiring', 'console', 'warning', 'API key expires soon', '30 days, 7 days and a day before it ends'),
  rule('address.locked', 'console', 'warning', 'Wrong admin keys', 'Sign-in from an address was locked'),
  rule('mail.failed', 'console', 'warning', 'Email not sent', 'An email to a person could not be sent'),
  rule('report.stopped', 'console', 'warning', 'Scheduled report stopped', 'The owner lost the permission'),
  rule('report.failed', 'console', 'warning', 'Scheduled report not sent', 'A report by email reached nobody'),
  rule('backup.failed', 'console', 'error', 'Backup failed', 'A backup failed or could not be verified'),
  rule('flag.paused', 'console', 'warning', 'Flag rollout paused', 'A guard paused the rollout of a feature flag'),
  rule('console.fell', 'console', 'error', 'Console restarted', 'The console stopped unexpectedly'),
] as const satisfies readonly NoticeRule[]

export type NoticeType = (typeof noticeRules)[number]['key']

export const severityOfNotice = (type: string): AlertSeverity | undefined =>
  noticeRules.find(({ key }) => key === type)?.severity
