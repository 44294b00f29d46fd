import { counted } from '../../platform/counted.ts'
import { amountOf, named, number, type Told, text } from './audit-facts.ts'

/** One deed in each of its states: begun, done, failed. */
export function deed([done, tried]: [string, string], object: string, { row, after }: Told): string {
  if (row.outcome === 'denied') return `Tried to ${tried} ${object} (denied)`
  switch (text(after['state'])) {
    case 'requested':
      return `Started to ${tried} ${object}`
    case 'retried':
      return `Tried again to ${tried} ${object}`
    case 'cancelled':
      return `Did not ${tried} ${object} (cancelled)`
    case 'unknown':
      return `Tried to ${tried} ${object}; outcome unknown`
    case 'failed':
      return `Could not ${tried} ${object}`
    default:
      return row.outcome === 'failed' ? `Could not ${tried} ${object}` : `${done} ${object}`
  }
}

export const backupOf = ({ before, after }: Told): string => text(after['name']) ?? text(before['name']) ?? ''

export function drilled(told: Told): string {
  const { row, after } = told
  if (row.outcome === 'denied') return deed(['Ran', 'run'], `a restore drill of ${backupOf(told)}`, told)
  if (after['state'] === 'requested') return `Started a restore drill of ${backupOf(told)}`
  if (row.outcome !== 'failed') return `The restore drill of ${backupOf(told)} passed`
  return `The restore drill of ${backupOf(told)} failed: ${text(after['reason']) ?? 'unknown reason'}`
}

/** By its number and its customer; its id only where neither is known. */
export function invoiceOf({ row, after }: Told): string {
  const [number, whose] = [text(after['number']), row.resource_name]
  if (number !== null) return `invoice ${number}${whose === null ? '' : ` of ${whose}`}`
  return whose === null ? `invoice ${row.resource_id ?? ''}`.trimEnd() : `an invoice of ${whose}`
}

export const ofInvoice =
  (verb: [string, string], state = '') =>
  (told: Told): string =>
    deed(verb, `${invoiceOf(told)}${state}`, told)

/** `the cancellation of Starter Care (Ada)`, or the subscription alone. */
export const ofSubscription =
  (verb: [string, string], what = '') =>
  (told: Told): string =>
    deed(verb, `${what}${named(told, 'subscription')}`, told)

export const ofSite =
  (verb: [string, string], what = '') =>
  (told: Told): string =>
    deed(verb, `${what}${named(told, 'site')}`, told)

/** Of what is done to a whole account, step by step. */
export const ofAccount =
  (verb: [string, string], what = '', where = '') =>
  (told: Told): string =>
    deed(verb, `${what}${named(told, 'customer')}${where}`, told)

export const ofNote =
  (done: string) =>
  (told: Told): string => {
    const id = text(told.after['customer_id']) ?? text(told.before['customer_id'])
    return `${done} ${told.row.resource_name ?? `the customer ${id ?? ''}`.trimEnd()}`
  }

/** Until a new coupon is there, it has a name and no id. */
export const ofCoupon =
  (verb: [string, string]) =>
  (told: Told): string =>
    deed(verb, `the coupon ${told.what}`.trimEnd(), told)

const codeOf = ({ row, after }: Told): string => {
  const code = text(after['code']) ?? (row.resource_type === 'promotion_code' ? row.resource_name : null)
  return code === null ? 'a promotion code' : `the promotion code ${code}`
}

export const codeCreated = (told: Told): string =>
  deed(['Created', 'create'], `${codeOf(told)} for the coupon ${told.what}`, told)

export const codeSwitched = (told: Told): string =>
  told.after['active'] === true
    ? deed(['Switched on', 'switch on'], codeOf(told), told)
    : deed(['Switched off', 'switch off'], codeOf(told), told)

/** Until a new link is there, it has what it sells and no id. */
const linkOf = ({ row, after }: Told): string => {
  const plan = text(after['plan_name']) ?? row.resource_name
  return plan === null ? 'a payment link' : `the payment link for ${plan}`
}

export const linkCreated = (told: Told): string => deed(['Created', 'create'], linkOf(told), told)

export const linkSwitched = (told: Told): string =>
  told.after['active'] === true
    ? deed(['Switched on', 'switch on'], linkOf(told), told)
    : deed(['Switched off', 'switch off'], linkOf(told), told)

/** Of a DNS record, or of a setting of a domain. */
export const ofRecord =
  (verb: [string, string], what = '') =>
  (told: Told): string =>
    deed(verb, `${what}${text(told.after['what']) ?? 'a DNS record'}`, told)

/** Of the whole cache, or of some hosts or addresses. */
export function purged(told: Told): string {
  const { row, after } = told
  const what = text(after['what'])
  const isAll = what === null || what === 'everything'
  const domain = text(after['name']) ?? row.resource_id ?? ''
  return deed(['Purged', 'purge'], isAll ? `the whole cache of ${domain}` : `${what} from the cache of ${domain}`, told)
}

export function refunded(told: Told): string {
  const { row, after } = told
  const to = row.resource_name === null ? `for the payment ${row.resource_id ?? ''}` : `to ${row.resource_name}`
  return deed(['Refunded', 'refund'], `${amountOf(after) ?? 'the remaining amount'} ${to}`, told)
}

export const deploymentCancelled = (told: Told): string => {
  const isNamed = told.row.resource_name !== null || text(told.after['domain']) !== null
  return deed(['Cancelled', 'cancel'], isNamed ? `the deployment of ${deployed(told)}` : deployed(told), told)
}

export function credited(told: Told): string {
  const [amount, whom] = [amountOf(told.after), named(told, 'customer')]
  return amount === null
    ? deed(['Gave', 'give'], `an SLA credit to ${whom}`, told)
    : deed(['Credited', 'credit'], `${amount} to ${whom}`, told)
}

/** The site of a deployment, or its domain. */
export const deployed = ({ row, after }: Told): string =>
  row.resource_name ?? text(after['domain']) ?? `the deployment ${row.resource_id ?? ''}`

export function impersonated(told: Told): string {
  const whose = named(told, 'customer')
  return told.after['way'] === 'view'
    ? `Viewed the account of ${whose} (read-only)`
    : deed(['Opened', 'open'], `the billing portal of ${whose}`, told)
}

const viewEnds: Record<string, string> = {
  ended: 'by hand',
  ended_by_other: 'by someone else',
  time: 'time limit',
  signed_out: 'signed out',
  idle: 'session inactive',
  session_limit: 'session limit reached',
  session_ended: 'session ended',
  deactivated: 'account deactivated',
  permission_lost: 'permission removed',
  customer_deleted: 'customer deleted',
}

export function viewEnded(told: Told): string {
  const { after } = told
  const minutes = Math.round((number(after['seconds']) ?? 0) / 60)
  const pages = Array.isArray(after['pages']) ? after['pages'].length : 0
  const how = viewEnds[text(after['cause']) ?? ''] ?? 'unknown reason'
  return `Ended the view of ${named(told, 'customer')} by ${text(after['of']) ?? 'an administrator'} after ${counted(minutes, 'minute')} (${how}), ${counted(pages, 'page')} viewed`
}
