import type { JobStatus, QueueJob, QueueRun, TouchedThing } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import type { Tone } from '../../theme/palette.ts'

export const statusChips: Record<JobStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'info' },
  processing: { label: 'Processing', tone: 'warning' },
  completed: { label: 'Completed', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

type Step = QueueRun['steps'][number]
export const stepChips: Record<Step['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'info' },
  running: { label: 'Running', tone: 'warning' },
  done: { label: 'Done', tone: 'success' },
  skipped: { label: 'Skipped', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const guardLabels = { money: 'Moves money', webhooks: 'Webhooks' } as const

const words = (name: string): string => {
  const text = name.replaceAll(/[-_]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
export const stepName = words
export const runName = ({ kind, queue_name }: Pick<QueueRun, 'kind' | 'queue_name'>): string =>
  `${words(kind)} (${queue_name})`

/** What it does; the internal name of its queue stands below it. */
export const jobName = ({ job_type }: Pick<QueueJob, 'job_type'>): string => job_type

const kindNames: Record<TouchedThing['kind'], string> = {
  customer: 'Customer',
  site: 'Site',
  subscription: 'Subscription',
  payment: 'Payment',
  invoice: 'Invoice',
  refund: 'Refund',
  dispute: 'Dispute',
  charge: 'Charge',
  mail: 'Email',
  export: 'Export',
  alert: 'Alert',
  delivery: 'Alert message',
  report_schedule: 'Report schedule',
  money_action: 'Money action',
  object: 'Stripe object',
}

/** `Customer: Pinecrest Dental` */
export const touchedLabel = ({ kind, name, id }: TouchedThing): string =>
  `${kindNames[kind]}: ${kind === 'money_action' || kind === 'report_schedule' ? words(name ?? id) : (name ?? id)}`

/** Where the console shows it; undefined where it has no place of its own. */
export function touchedHref({ kind, id, customer }: TouchedThing): string | undefined {
  if (kind === 'customer') return paths.customer(id)
  if (kind === 'site') return paths.site(id)
  if (kind === 'subscription') return paths.subscription(id)
  if (kind === 'payment') return paths.payment(id)
  if (kind === 'invoice' && customer) return paths.customerInvoices(customer.id)
  if (kind === 'mail') return paths.outbox
  if (kind === 'export') return paths.exports
  if (kind === 'delivery' || kind === 'alert') return paths.alertChannels
  if (kind === 'report_schedule') return paths.reportSchedules
  return customer ? paths.customer(customer.id) : undefined
}
