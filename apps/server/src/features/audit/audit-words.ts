import { moneyText } from '../../platform/money-text.ts'
import type { EntryRow } from './queries/columns.ts'

type Facts = Record<string, unknown>
type Told = { row: EntryRow; before: Facts; after: Facts; what: string }

/** As it is told when it was done, and when it was tried. */
const verbs: Record<string, [did: string, tried: string]> = {
  activate: ['Activated', 'activate'],
  create: ['Created', 'create'],
  deactivate: ['Deactivated', 'deactivate'],
  delete: ['Deleted', 'delete'],
  disable: ['Switched off', 'switch off'],
  renew: ['Renewed', 'renew'],
  replace: ['Replaced', 'replace'],
  revoke: ['Revoked', 'revoke'],
  update: ['Changed', 'change'],
}

const did = ({ outcome }: EntryRow, [done, tried]: [string, string]): string =>
  outcome === 'done' ? done : `Tried to ${tried}`

const nouns: Record<string, string> = {
  admin_key: 'the admin key',
  api_key: 'the API key',
  audit: 'the audit log',
  customer: 'the customer',
  customers: 'customers',
  domain_analytics: 'the analytics of a domain',
  invitation: 'the invitation of',
  link: 'the link of',
  role: 'the role',
  site: 'the site',
  sites: 'sites',
  user: 'the user',
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

/** As people write it, where an entry has both. */
const amountOf = ({ amount, currency }: Facts): string | null => {
  const [value, code] = [number(amount), text(currency)]
  return value === null || code === null || !/^[a-z]{3}$/i.test(code) ? null : moneyText(value, code)
}

/** Of the call to a provider rather than of what it changed. */
const ofTheCall = ['action_id', 'provider_request_id', 'state', 'status', 'result_id', 'started_by', 'reason']

/** `customers as CSV` */
const exportOf = ({ title, format }: Facts): string =>
  `${(text(title) ?? 'something').toLowerCase()} as ${(text(format) ?? 'a file').toUpperCase()}`

/** The fields of another value, by name; what stayed is not listed. */
function changedFields({ before, after }: Told): string {
  const own = text(after['action_id']) === null ? [] : ofTheCall
  const names = Object.keys(after).filter(
    (name) => !own.includes(name) && JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  )
  return names.length === 0 || names.length > 6 ? '' : `: ${names.join(', ').replaceAll('_', ' ')}`
}

function overlapOf({ overlap_hours: hours }: Facts): string {
  if (typeof hours !== 'number') return ''
  return hours === 0 ? '; the one before ended at once' : `; the one before stays good for ${counted(hours, 'hour')}`
}

const shownValue = 60

/** A value that is short enough to be said. */
function shortValue({ value }: Facts): string {
  if (value === null) return ' to the default'
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain && String(value).length <= shownValue ? ` to ${value}` : ''
}

const methods: Record<string, string> = {
  admin_key: 'with the admin key',
  api: 'with the admin key',
  login: 'with the admin key',
  email: 'with email and password',
  invitation: 'with an invitation',
  link: 'with a link',
  password_reset: 'with a reset link',
  second_factor: 'with a second factor',
}
const methodOf = ({ method }: Facts): string => methods[text(method) ?? ''] ?? ''

const states: Record<string, string> = {
  requested: ' was asked for',
  done: ' was done',
  failed: ' failed',
  unknown: ' has an unknown outcome',
}
const stateOf = ({ state }: Facts): string => states[text(state) ?? ''] ?? ''

const invoiceOf = ({ resource_id: id }: EntryRow, { number }: Facts): string =>
  `the invoice ${text(number) ?? id ?? ''}`

const begun: Record<string, string> = { ...states, retried: ' was tried again', cancelled: ' was called off' }

/** Of what is done to a whole account, step by step. */
const ofAccount =
  (what: string) =>
  ({ row, after }: Told): string => {
    const state = row.outcome === 'denied' ? ' was refused' : (begun[text(after['state']) ?? ''] ?? '')
    return `${what} the customer ${row.resource_id ?? ''}${state}`
  }

/** Of what is saved at the provider: asked for, then done or not. Until it is there, a new customer has a name and no id. */
const ofCustomer =
  (noun: string) =>
  (told: Told): string => {
    const { row, after } = told
    if (after['state'] !== 'requested') return generic(told)
    return `${noun} of the customer ${text(after['name']) ?? row.resource_id ?? ''} was asked for`
  }

const sentences: Record<string, (told: Told) => string> = {
  'access.denied': ({ row, after }) =>
    `Was refused ${row.resource_id ?? 'a call'}: the permission ${text(after['permission']) ?? 'for it'} is missing`,
  'account.lock': ({ what, after }) => `Locked the account ${what} after ${tries(after)}`,
  'account.release': ({ what }) => `Let the account ${what} try again`,
  'address.release': ({ what }) => `Let the address ${what} try again`,
  'address.lock': ({ what, after }) => `Locked the address ${what} after ${tries(after)}`,
  'api_key.roll': ({ row, what, after }) => `${did(row, ['Rolled', 'roll'])} the API key ${what}${overlapOf(after)}`,
  'audit.cancel_verification': () => 'Stopped the verification of the audit log',
  'audit.verify': () => 'Started a verification of the audit log',
  'audit.verify_end': ({ after }) =>
    `Verified the audit log: ${text(after['state']) ?? 'ended'}, ${counted(number(after['checked']) ?? 0, 'entry', 'entries')} checked`,
  'customer.create': ofCustomer('Creation'),
  'customer.delete': ofAccount('Deletion of'),
  'customer.delete_at_stripe': ofAccount('Deletion at Stripe of'),
  'customer.erase': ofAccount('Erasure of'),
  'customer.restore': ({ row }) => `Restored the customer ${row.resource_id ?? ''}`,
  'customer.suspend': ofAccount('Suspension of'),
  'customer.unsuspend': ofAccount('Lifting of the suspension of'),
  'customer.update': ofCustomer('Change'),
  'customer_note.create': ({ after }) => `Wrote a note about the customer ${text(after['customer_id']) ?? ''}`,
  'customer_note.delete': ({ before }) => `Deleted a note about the customer ${text(before['customer_id']) ?? ''}`,
  'customer_note.update': ({ after }) => `Edited a note about the customer ${text(after['customer_id']) ?? ''}`,
  'deployment.cancel': ({ row, after }) =>
    after['state'] === 'requested'
      ? `Asked for the end of the deployment ${row.resource_id ?? ''}`
      : `The deployment ${row.resource_id ?? ''} was cancelled`,
  'deployment.create': ({ row, after }) => `Queued the deployment ${row.resource_id ?? ''}${ofDomain(after)}`,
  'deployment.export_log': ({ after }) => `Took the log of the deployment ${text(after['deployment_id']) ?? ''}`,
  'deployment.export_log_end': ({ row, after }) =>
    `The log of the deployment ${text(after['deployment_id']) ?? ''} was ${row.outcome === 'done' ? 'sent' : 'broken off'}`,
  'deployment.fail': ({ row, after }) =>
    `The deployment ${row.resource_id ?? ''} failed: ${text(after['failure']) ?? 'the reason is not known'}`,
  'deployment.retry': ({ row, after }) => `Queued the deployment ${row.resource_id ?? ''} once more${ofDomain(after)}`,
  'deployment.roll_back': ({ row, after }) =>
    `Queued the rollback ${row.resource_id ?? ''}${ofDomain(after)} to ${text(after['rolled_back_to']) ?? 'an earlier build'}`,
  'deployment.succeed': ({ row, after }) =>
    `The ${after['kind'] === 'rollback' ? 'rollback' : 'deployment'} ${row.resource_id ?? ''} succeeded`,
  'deployment.take_in': ({ after }) =>
    `Took in ${counted(number(after['deployments']) ?? 0, 'deployment')} of the project ${text(after['project']) ?? ''}`,
  'domain.purge_cache': ({ row, after }) =>
    `Purge of ${text(after['what']) ?? 'the cache'} of the domain ${text(after['name']) ?? row.resource_id ?? ''}${stateOf(after)}`,
  'export.cancel': ({ after }) => `Cancelled the export of ${exportOf(after)}`,
  'export.create': ({ row, after }) =>
    row.outcome === 'done' ? `Exports ${exportOf(after)}` : `Tried to export ${row.resource_id ?? 'something'}`,
  'export.download': ({ after }) => `Downloaded the export of ${exportOf(after)}`,
  'export.expire': ({ after }) => `The export of ${exportOf(after)} ran out`,
  'export.fail': ({ after }) => `The export of ${exportOf(after)} failed: ${text(after['reason']) ?? 'unknown reason'}`,
  'export.link': ({ row, after }) =>
    row.outcome === 'done' ? `Made a link to the export of ${exportOf(after)}` : 'Tried to make a link to an export',
  'export.ready': ({ after }) => `Exported ${counted(number(after['rows']) ?? 0, 'row')} of ${exportOf(after)}`,
  'impersonation.end': ({ row, after }) => viewEnded(row, after),
  'impersonation.start': ({ row, after }) => impersonated(row, after),
  'invitation.accept': () => 'Accepted the invitation',
  'invoice.create': ({ row, after }) =>
    `New invoice over ${amountOf(after) ?? 'an amount'} for the customer ${row.resource_id ?? ''}${stateOf(after)}`,
  'invoice.mark_uncollectible': ({ row, after }) => `Write-off of ${invoiceOf(row, after)}${stateOf(after)}`,
  'invoice.send': ({ row, after }) => `Delivery of ${invoiceOf(row, after)}${stateOf(after)}`,
  'invoice.void': ({ row, after }) => `Voiding of ${invoiceOf(row, after)}${stateOf(after)}`,
  'mail.read': ({ after }) => `Read the mail to ${text(after['to']) ?? 'somebody'}`,
  'mail.send_again': ({ after }) => `Sent the mail to ${text(after['to']) ?? 'somebody'} again`,
  'mirror.cancel_import': () => 'Stopped the import from Stripe',
  'mirror.empty': () => 'Forgot the copy of another Stripe account',
  'mirror.import': () => 'Started an import from Stripe',
  'mirror.reconcile': () => 'Started a comparison with Stripe',
  'mirror.replay_event': ({ what }) => `Applied the event ${what} again`,
  'password_reset.accept': () => 'Chose a new password by a reset link',
  'payment.refund': ({ row, after }) =>
    `Refund of ${amountOf(after) ?? 'the rest'} for the payment ${row.resource_id ?? ''}${stateOf(after)}`,
  'purchase.reset': ({ what }) => `Reset the purchase of ${what}`,
  'purchase.reset_undo': ({ what }) => `Undid the reset of the purchase of ${what}`,
  'second_factor.begin': () => 'Began to set up a second factor',
  'second_factor.enable': () => 'Switched on a second factor',
  'second_factor.remove': () => 'Switched off the second factor',
  'second_factor.renew_codes': () => 'Made new recovery codes',
  'second_factor.reset': ({ row, what }) => `${did(row, ['Removed', 'remove'])} the second factor of ${what}`,
  'secrets.rotate': () => 'Sealed the stored secrets with a new key',
  'money_drift.dismiss': ({ after }) =>
    `Dismissed the drift of ${text(after['subject']) ?? 'something'}: ${text(after['reason']) ?? 'no reason'}`,
  'money_drift.restore': ({ before }) => `Restored the drift of ${text(before['subject']) ?? 'something'}`,
  'security.run_checks': ({ after }) => `Ran the security checks: score ${number(after['score']) ?? 'unknown'}`,
  'session.expire': () => 'A session reached its limit',
  'session.revoke': ({ before }) => {
    const whose = text(before['actor_name'])
    return whose === null ? 'Ended another session of their own' : `Ended a session of ${whose}`
  },
  'session.second_factor': ({ after }) =>
    `Gave ${after['used'] === 'recovery_code' ? 'a recovery code' : 'a code of the app'}`,
  'session.sign_in': ({ row, after }) =>
    `${row.outcome === 'done' ? 'Signed in' : 'Tried in vain to sign in'} ${methodOf(after)}`.trimEnd(),
  'session.sign_out': () => 'Signed out',
  'settings.change': ({ what, after }) => `Changed the setting ${what}${shortValue(after)}`,
  'settings.test': ({ what, after }) =>
    `Tested the connection to ${what}: ${(text(after['state']) ?? 'no answer').replaceAll('_', ' ')}`,
  'site.expire_status': ({ row, after }) =>
    `The site ${row.resource_id ?? ''} is ${text(after['status']) ?? 'as before'} again: what was set by hand is over`,
  'site.resume': ({ row, after }) => `Resumption of the site ${row.resource_id ?? ''}${stateOf(after)}`,
  'site.roll_back_environment': ({ row, after }) =>
    `Rolled the environment of the site ${row.resource_id ?? ''} back to version ${number(after['rolled_back_to']) ?? ''}`,
  'site.set_status': ({ row, after }) =>
    `Set the site ${row.resource_id ?? ''} to ${text(after['status']) ?? 'another status'}`,
  'site.suspend': ({ row, after }) => `Suspension of the site ${row.resource_id ?? ''}${stateOf(after)}`,
  'site.update_beacon': ({ row, after }) =>
    `Switched the beacon of the site ${row.resource_id ?? ''} ${after['is_on'] === true ? 'on' : 'off'}`,
  'site.update_environment': ({ row, after }) =>
    `Saved version ${number(after['version']) ?? ''} of the environment of the site ${row.resource_id ?? ''}`,
  'site.update_settings': ({ row }) => `Changed how the site ${row.resource_id ?? ''} is deployed or checked`,
  'sites.import': ({ after }) =>
    `Imported ${counted(number(after['created']) ?? 0, 'site')} of an older console, left out ${number(after['skipped']) ?? 0}`,
  'subscription.cancel': ({ row, after }) =>
    `Cancellation of the subscription ${row.resource_id ?? ''}${stateOf(after)}`,
  'subscription.change_plan': ({ row, after }) =>
    `Plan change of the subscription ${row.resource_id ?? ''}${stateOf(after)}`,
  'subscription.pause': ({ row, after }) =>
    `Pause of collection of the subscription ${row.resource_id ?? ''}${stateOf(after)}`,
  'subscription.resume': ({ row, after }) =>
    `Resumption of collection of the subscription ${row.resource_id ?? ''}${stateOf(after)}`,
  'subscription.undo_cancel': ({ row, after }) =>
    `Withdrawal of the cancellation of the subscription ${row.resource_id ?? ''}${stateOf(after)}`,
  'user.change_password': ({ after }) => (after['first'] ? 'Chose a first password' : 'Changed the password'),
  'webhook_endpoint.create': ({ after }) => `Webhook endpoint at Stripe${stateOf(after)}: ${text(after['url']) ?? ''}`,
  'user.reset_password': ({ row, what }) => `${did(row, ['Reset', 'reset'])} the password of ${what}`,
}

const ofDomain = ({ domain }: Facts): string => (text(domain) === null ? '' : ` of ${text(domain)}`)

function impersonated({ resource_id: id, outcome }: EntryRow, after: Facts): string {
  if (after['way'] === 'view') return `Opened a read-only view of the account of the customer ${id}`
  if (outcome === 'failed') return `The billing portal of the customer ${id} could not be opened`
  return after['state'] === 'requested'
    ? `Asked for the billing portal of the customer ${id}`
    : `Opened the billing portal of the customer ${id}`
}

const viewEnds: Record<string, string> = {
  ended: 'by hand',
  ended_by_other: 'by somebody else',
  time: 'its time was over',
  signed_out: 'with the sign-out',
  idle: 'its session had no activity',
  session_limit: 'its session reached its limit',
  session_ended: 'its session was ended',
  deactivated: 'the account was deactivated',
  permission_lost: 'the permission was taken away',
  customer_deleted: 'the customer was deleted',
}

function viewEnded({ resource_id: id }: EntryRow, after: Facts): string {
  const minutes = Math.round((number(after['seconds']) ?? 0) / 60)
  const pages = Array.isArray(after['pages']) ? after['pages'].length : 0
  const how = viewEnds[text(after['cause']) ?? ''] ?? 'for an unknown reason'
  return `The view of ${text(after['of']) ?? 'somebody'} of the customer ${id} ended after ${counted(minutes, 'minute')} (${how}), ${counted(pages, 'page')} seen`
}

const tries = (after: Facts): string => counted(number(after['failures']) ?? 0, 'wrong try', 'wrong tries')

const factsOf = (value: unknown): Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Facts) : {}

/** What people call the thing, else its id. */
const nameOf = (row: EntryRow, ...known: Facts[]): string => {
  for (const facts of known)
    for (const field of ['display_name', 'name', 'site_name', 'email', 'subject']) {
      const found = text(facts[field])
      if (found) return found
    }
  return row.resource_id ?? ''
}

function exported({ row, after }: Told): string {
  const what = nouns[row.resource_type] ?? row.resource_type
  if (!row.action.endsWith('_end')) return `Exported ${what}`
  const rows = counted(number(after['rows']) ?? 0, 'row')
  return row.outcome === 'done' ? `Exported ${rows} of ${what}` : `The export of ${what} broke off after ${rows}`
}

/** From the words of the action; an action that nobody gave words to is told as it is. */
function generic(told: Told): string {
  const { row, what } = told
  const [entity = '', verb = ''] = row.action.split('.')
  if (verb === 'export' || verb === 'export_end') return exported(told)
  const [words, thing] = [verbs[verb], nouns[entity]]
  if (!words || !thing) return `${row.action} ${row.resource_id ?? row.resource_type}`
  const changes = verb === 'update' ? changedFields(told) : ''
  return `${did(row, words)} ${thing}${what === '' || what === entity ? '' : ` ${what}`}${changes}`
}

/** Their own words say how it went. */
const tellTheirOutcome = new Set([
  'access.denied',
  'session.sign_in',
  'customer.delete',
  'customer.delete_at_stripe',
  'customer.erase',
  'customer.suspend',
  'customer.unsuspend',
  'deployment.fail',
  'domain.purge_cache',
  'invoice.create',
  'invoice.mark_uncollectible',
  'invoice.send',
  'invoice.void',
  'payment.refund',
  'subscription.cancel',
  'subscription.change_plan',
  'subscription.pause',
  'subscription.resume',
  'subscription.undo_cancel',
  'impersonation.start',
  'webhook_endpoint.create',
])

/** One sentence that says what an entry tells. */
export function detailsOf(row: EntryRow): string {
  const [before, after] = [factsOf(row.before), factsOf(row.after)]
  const told: Told = { row, before, after, what: nameOf(row, after, before) }
  const sentence = (sentences[row.action] ?? generic)(told)
  const isToldAlready = tellTheirOutcome.has(row.action) || row.action.endsWith('_end')
  return row.outcome === 'done' || isToldAlready ? sentence : `${sentence} (${row.outcome})`
}
