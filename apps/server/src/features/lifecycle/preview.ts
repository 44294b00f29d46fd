import type { LifecyclePreview, Money } from '@agency/contract/types'
import {
  add,
  multiply,
  parseDecimal,
  type Rational,
  roundHalfEven,
  whole,
  zero,
} from '../../integrations/stripe/rational.ts'
import { type Options, overdueOf, type Plan, planOf, type Reached, type Situation } from './plan.ts'
import { noticeOf, plannedTitle, sitesNote } from './words.ts'

const dayMs = 86_400_000
export const restorableMs = 30 * dayMs

const exact = (decimal: string | null): Rational => parseDecimal(decimal) ?? zero

function byCurrency<T>(rows: readonly T[], of: (row: T) => { currency: string; amount: Rational }): Money[] {
  const sums = new Map<string, Rational>()
  for (const row of rows) {
    const { currency, amount } = of(row)
    sums.set(currency, add(sums.get(currency) ?? zero, amount))
  }
  return [...sums]
    .map(([currency, sum]) => ({ currency, amount: Number(roundHalfEven(sum)) }))
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => a.currency.localeCompare(b.currency))
}

function mrrChange({ reached }: Plan): Money[] {
  const touched = reached.filter(({ change }) => change !== 'unchanged')
  return byCurrency(touched, ({ subscription, counts }) => ({
    currency: subscription.currency,
    amount: add(counts ? exact(subscription.mrr_running) : zero, multiply(exact(subscription.mrr), whole(-1))),
  }))
}

const reachedSites = (kind: Options['kind'], { sites }: Plan): LifecyclePreview['sites'] => {
  const offline = sites.filter(({ goesOffline }) => goesOffline).length
  return { count: sites.length, domains: offline, note: sitesNote(kind, sites.length, offline) }
}

const shownOf = ({ subscription: { id, plan_name, status, mrr, currency }, change, note }: Reached) => ({
  ...{ id, plan_name, status, currency, change, note },
  mrr: mrr === null ? null : Number(roundHalfEven(exact(mrr))),
})

const invoiceNotes: Record<Options['kind'], string> = {
  suspend: 'They stay open and can be paid',
  unsuspend: 'They stay open and can be paid',
  delete: 'Unchanged at Stripe',
  erase: 'They stay, without the customer name',
}

function undoOf(options: Options, nowMs: number): LifecyclePreview['undo'] {
  switch (options.kind) {
    case 'suspend':
      return { until: null, text: 'You can lift the suspension at any time. Paused collection then resumes' }
    case 'unsuspend':
      return { until: null, text: 'You can suspend the account again at any time' }
    case 'delete':
      return { until: new Date(nowMs + restorableMs).toISOString(), text: 'You can restore the customer for 30 days' }
    case 'erase':
      return { until: null, text: 'This cannot be undone' }
  }
}

function suspendWarnings(options: Options & { kind: 'suspend' }, situation: Situation): string[] {
  const warnings: string[] = []
  if (options.notice && situation.customer.email === null)
    warnings.push('The customer has no email address: no email is sent')
  if (options.reason !== 'non_payment') return warnings
  const overdue = overdueOf(situation.openInvoices).length
  if (overdue === 0) return [...warnings, "Won't end automatically: no overdue invoice"]
  const which = overdue === 1 ? 'the overdue invoice is' : `the ${overdue} overdue invoices are`
  return [...warnings, `Ends automatically when ${which} paid`]
}

function warningsOf(options: Options, situation: Situation): string[] {
  const { customer } = situation
  switch (options.kind) {
    case 'suspend':
      return suspendWarnings(options, situation)
    case 'unsuspend':
      return [
        ...(customer.suspended_hint ? ['Still shown as suspended: the metadata at Stripe says so too'] : []),
        ...(options.notice && customer.email === null ? ['The customer has no email address: no email is sent'] : []),
        ...(situation.paused.size > 0 ? ['Voided and written-off invoices stay so'] : []),
      ]
    case 'delete':
      return [
        'After 30 days the console erases name, email, phone, address, metadata and notes; payments and totals stay',
        ...(options.atStripe && customer.is_gone ? ['Already deleted at Stripe'] : []),
        ...(options.atStripe && !customer.is_gone ? ['Deleting at Stripe cannot be undone'] : []),
        ...(options.atStripe || customer.is_gone ? [] : ['The customer stays at Stripe']),
      ]
    case 'erase':
      return [
        'Name, email, phone, address, metadata, notes and mails are erased here; payments and totals stay',
        'The audit log keeps its entries',
        ...(customer.is_gone ? [] : ['The customer stays at Stripe, but is not imported again']),
      ]
  }
}

export const typedNameOf = ({ name, email, id }: Situation['customer']): string => (name ?? email ?? id).trim() || id

function mailsOf(options: Options, { customer }: Situation, company: string): LifecyclePreview['mails'] {
  const isWanted = (options.kind === 'suspend' || options.kind === 'unsuspend') && options.notice
  if (!isWanted || customer.email === null) return []
  return [{ to: customer.email, subject: noticeOf(options.kind, company, customer.name).subject }]
}

export type Circumstances = { company: string; nowMs: number; blocked: string | null }

/** What a run of these options would reach: of the same plan that the run follows. */
export function previewOf(options: Options, situation: Situation, circumstances: Circumstances): LifecyclePreview {
  const plan = planOf(options, situation)
  const { company, nowMs, blocked } = circumstances
  return {
    kind: options.kind,
    subscriptions: plan.reached.map(shownOf),
    mrr_change: mrrChange(plan),
    open_invoices: {
      count: situation.openInvoices.length,
      amounts: byCurrency(situation.openInvoices, ({ currency, amount_remaining }) => ({
        currency,
        amount: whole(amount_remaining),
      })),
      note: situation.openInvoices.length === 0 ? null : invoiceNotes[options.kind],
    },
    sites: reachedSites(options.kind, plan),
    mails: mailsOf(options, situation, company),
    steps: plan.steps.map((step) => plannedTitle(options.kind, step)),
    undo: undoOf(options, nowMs),
    warnings: warningsOf(options, situation),
    blocked,
    typed_name: typedNameOf(situation.customer),
  }
}
