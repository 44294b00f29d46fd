import { counted } from '../../platform/counted.ts'
import { jobTitle } from '../../platform/job-titles.ts'
import { backupOf, deployed, invoiceOf, ofAccount, ofNote, viewEnded } from './audit-deeds.ts'
import { type Facts, factsOf, named, nameOf, number, type Told, text } from './audit-facts.ts'
import { deedSentences } from './deed-sentences.ts'
import type { EntryRow } from './queries/columns.ts'

/** As it is told when it was done, and when it was tried. */
const verbs: Record<string, [did: string, tried: string]> = {
  acknowledge: ['Acknowledged', 'acknowledge'],
  activate: ['Activated', 'activate'],
  archive: ['Archived', 'archive'],
  assign: ['Assigned', 'assign'],
  cancel: ['Cancelled', 'cancel'],
  create: ['Created', 'create'],
  deactivate: ['Deactivated', 'deactivate'],
  delete: ['Deleted', 'delete'],
  disable: ['Switched off', 'switch off'],
  end: ['Ended', 'end'],
  merge: ['Merged', 'merge'],
  open: ['Opened', 'open'],
  pause: ['Paused', 'pause'],
  renew: ['Renewed', 'renew'],
  replace: ['Replaced', 'replace'],
  resolve: ['Resolved', 'resolve'],
  restore: ['Restored', 'restore'],
  resume: ['Resumed', 'resume'],
  revoke: ['Revoked', 'revoke'],
  save: ['Saved', 'save'],
  send: ['Sent', 'send'],
  snooze: ['Snoozed', 'snooze'],
  split: ['Split', 'split'],
  stop: ['Stopped', 'stop'],
  update: ['Changed', 'change'],
}

const did = ({ outcome }: EntryRow, [done, tried]: [string, string]): string =>
  outcome === 'done' ? done : `Tried to ${tried}`

const nouns: Record<string, string> = {
  admin_key: 'the admin key',
  alert: 'the alert',
  alert_rule: 'the alert rule',
  api_key: 'the API key',
  audit: 'the audit log',
  channel: 'the alert channel',
  customer: 'the customer',
  customers: 'customers',
  domain_analytics: 'the analytics of a domain',
  feature_flag: 'the feature flag',
  incident: 'the incident',
  invitation: 'the invitation of',
  link: 'the sign-in link of',
  maintenance: 'the maintenance',
  notification_route: 'the alert route',
  role: 'the role',
  site: 'the site',
  sql_snippet: 'the SQL snippet',
  sites: 'sites',
  status_page: 'the status page of',
  user: 'the user',
}

const clearedKeys = ({ pattern }: Facts): string => (text(pattern) === null ? '' : `: keys like ${text(pattern)}`)

const ofQueues = ({ queues }: Facts): string =>
  typeof queues === 'object' && queues !== null ? `: ${Object.keys(queues).map(jobTitle).join(', ')}` : ''

const jobOf = ({ queue }: Facts): string => (text(queue) === null ? 'a job' : `the job "${jobTitle(String(queue))}"`)

/** Of the call to a provider rather than of what it changed. */
const ofTheCall = ['action_id', 'run_id', 'provider_request_id', 'state', 'status', 'result_id', 'started_by', 'reason']

/** `customers as CSV` */
const exportOf = ({ title, format }: Facts): string =>
  `${(text(title) ?? 'something').toLowerCase()} as ${(text(format) ?? 'a file').toUpperCase()}`

/** The first words of it; the entry has it whole. */
const queryOf = ({ query }: Facts): string => (text(query) ?? 'something').replaceAll(/\s+/g, ' ').slice(0, 80)

const rowsOf = ({ affected, table }: Facts): string =>
  `${counted(number(affected) ?? 0, 'row')} of ${text(table) ?? 'a table'}`

/** The fields of another value, by name; what stayed is not listed. */
function changedFields({ before, after }: Told): string {
  const own = text(after['action_id']) === null ? ['version'] : [...ofTheCall, 'version']
  const names = Object.keys(after).filter(
    (name) => !own.includes(name) && JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  )
  return names.length === 0 || names.length > 6 ? '' : `: ${names.join(', ').replaceAll('_', ' ')}`
}

function overlapOf({ overlap_hours: hours }: Facts): string {
  if (typeof hours !== 'number') return ''
  return hours === 0 ? '; the old key stopped at once' : `; the old key works for ${counted(hours, 'hour')} more`
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
  second_factor: 'with a code',
}
const methodOf = ({ method }: Facts): string => methods[text(method) ?? ''] ?? ''

/** Until a new customer is there, it has a name and no id. */
const ofCustomer =
  (tried: string) =>
  (told: Told): string => {
    const { row, after } = told
    if (after['state'] !== 'requested') return generic(told)
    return `Started to ${tried} the customer ${text(after['name']) ?? row.resource_name ?? row.resource_id ?? ''}`
  }

/** `company.name` reads as `company name`. */
const settingName = (key: string): string => key.replaceAll(/[._]/g, ' ')

const ofBackup =
  (done: string) =>
  (told: Told): string =>
    `${done} ${backupOf(told)}`

/** An incremental one holds files. */
const rowsKept = ({ rows }: Facts): string => (typeof rows === 'number' ? `: ${counted(rows, 'row')}` : '')

/** `the weekly revenue report`, `the website report for Castine Chandlery` */
const ofReport =
  (verb: [string, string]) =>
  ({ row, before, after }: Told): string => {
    const [report, cadence] = ['report', 'cadence'].map((name) => text(after[name]) ?? text(before[name]))
    const name = report === 'customer' ? 'website' : report
    const whom = row.resource_name === null ? '' : ` for ${row.resource_name}`
    return `${did(row, verb)} ${['the', cadence, name, 'report'].filter((word) => word !== null).join(' ')}${whom}`
  }

function assigned({ row, what, after }: Told): string {
  const assignee = text(after['assignee'])
  if (row.outcome === 'done' && assignee === null) return `Unassigned the alert ${what}`
  return `${did(row, ['Assigned', 'assign'])} the alert ${what}${assignee === null ? '' : ` to ${assignee}`}`
}

const connections: Record<string, string> = { smtp: 'the mail server', stripe: 'Stripe', cloudflare: 'Cloudflare' }

/** `: 10%, then off` */
function stepsOf({ steps }: Facts): string {
  if (!Array.isArray(steps)) return ''
  const said = steps.map(factsOf).map((step) => (step['enabled'] === true ? `${step['rollout_percentage']}%` : 'off'))
  return `: ${said.join(', then ')}`
}

export const sentences: Record<string, (told: Told) => string> = {
  'access.denied': ({ row, after }) =>
    `Denied ${row.resource_id ?? 'a call'}: needs the permission ${text(after['permission']) ?? 'for this call'}`,
  'account.lock': ({ what, after }) => `Locked the account ${what} after ${tries(after)}`,
  'account.release': ({ what }) => `Released the account ${what}`,
  'address.release': ({ what }) => `Released the address ${what}`,
  'address.lock': ({ what, after }) => `Locked the address ${what} after ${tries(after)}`,
  'api_key.roll': ({ row, what, after }) => `${did(row, ['Rotated', 'rotate'])} the API key ${what}${overlapOf(after)}`,
  'admin_key.disable': ({ row }) => `${did(row, ['Switched off', 'switch off'])} the admin key`,
  'admin_key.replace': ({ row }) => `${did(row, ['Replaced', 'replace'])} the admin key`,
  'alert.assign': assigned,
  'audit.cancel_verification': () => 'Stopped the tamper check of the audit log',
  'audit.verify': () => 'Started a tamper check of the audit log',
  'audit.verify_end': ({ after }) =>
    `Tamper check of the audit log: ${(text(after['state']) ?? 'ended').replaceAll('_', ' ')}, ${counted(number(after['checked']) ?? 0, 'entry', 'entries')} checked`,
  'backup.cancel': ofBackup('Cancelled the backup'),
  'backup.cancel_restore': ofBackup('Cancelled the restore of'),
  'backup.create': ({ after }) => `Started the ${text(after['type']) ?? ''} backup ${text(after['name']) ?? ''}`,
  'backup.delete': ofBackup('Deleted the backup'),
  'backup.expire': ({ before }) => `Deleted the backup ${text(before['name']) ?? ''}: only the newest are kept`,
  'backup_plan.update': ({ after }) =>
    `Changed the backup schedule to ${text(after['cadence']) ?? 'another'}, keeping the newest ${number(after['keep']) ?? 0}`,
  'backup.fail': (told) => `The backup ${backupOf(told)} failed: ${text(told.after['reason']) ?? 'unknown reason'}`,
  'backup.finish': (told) => `Finished and verified the backup ${backupOf(told)}${rowsKept(told.after)}`,
  'backup.replay': ofBackup('Replayed the changes since the backup'),
  'customer.create': ofCustomer('create'),
  'customer.choose_emails': ofAccount(['Changed', 'change'], 'the email preferences of '),
  'customer.mail_uptime_report': ofAccount(['Emailed', 'email'], 'the uptime report to '),
  'customer.update': ofCustomer('change'),
  'channel.test': ({ what }) => `Tested the alert channel ${what}`,
  'customer_note.create': ofNote('Added a note about'),
  'customer_note.delete': ofNote('Deleted a note about'),
  'customer_note.update': ofNote('Edited a note about'),
  'deployment.cancel_rings': () => 'Cancelled a redeployment in rings',
  'deployment.continue_rings': ({ after }) =>
    `Continued a redeployment in rings${number(after['accepted']) ? `, ${counted(number(after['accepted']) ?? 0, 'failed deployment')} accepted` : ''}`,
  'deployment.create': (told) => `Deploying ${deployed(told)}`,
  'deployment.export_log': ({ after }) => `Exported the log of the deployment ${text(after['deployment_id']) ?? ''}`,
  'deployment.export_log_end': ({ row, after }) =>
    `The log export of the deployment ${text(after['deployment_id']) ?? ''} ${row.outcome === 'done' ? 'finished' : 'was cut off'}`,
  'deployment.retry': (told) => `Deploying ${deployed(told)} again`,
  'deployment.roll_back': (told) => `Rolling back ${deployed(told)}`,
  'deployment.start_rings': ({ after }) =>
    `Started to redeploy ${counted(number(after['sites']) ?? 0, 'site')} in ${counted(Array.isArray(after['rings']) ? after['rings'].length : 0, 'ring')}`,
  'deployment.succeed': (told) => `${told.after['kind'] === 'rollback' ? 'Rolled back' : 'Deployed'} ${deployed(told)}`,
  'deployment.take_in': ({ after }) =>
    `Imported ${counted(number(after['deployments']) ?? 0, 'deployment')} of the project ${text(after['project']) ?? ''}`,
  'export.cancel': ({ after }) => `Cancelled the export of ${exportOf(after)}`,
  'export.create': ({ row, after }) =>
    row.outcome === 'done'
      ? `Started to export ${exportOf(after)}`
      : `Tried to export ${row.resource_id ?? 'something'}`,
  'export.download': ({ after }) => `Downloaded the export of ${exportOf(after)}`,
  'export.expire': ({ after }) => `The export of ${exportOf(after)} expired`,
  'export.fail': ({ after }) => `The export of ${exportOf(after)} failed: ${text(after['reason']) ?? 'unknown reason'}`,
  'export.link': ({ row, after }) =>
    row.outcome === 'done'
      ? `Created a link to the export of ${exportOf(after)}`
      : 'Tried to create a link to an export',
  'export.ready': ({ after }) => `Exported ${counted(number(after['rows']) ?? 0, 'row')} of ${exportOf(after)}`,
  'feature_flag.cancel_rollout': ({ what }) => `Cancelled the rollout of ${what}`,
  'feature_flag.pause_rollout': ({ what }) => `Paused the rollout of ${what}`,
  'feature_flag.resume_rollout': ({ what }) => `Resumed the rollout of ${what}`,
  'feature_flag.revert': ({ what }) => `Reverted the feature flag ${what}`,
  'feature_flag.start_rollout': ({ what, after }) => `Started the rollout of ${what}${stepsOf(after)}`,
  'feature_flag.step': ({ what, after }) =>
    after['enabled'] === false
      ? `Switched off the feature flag ${what} by its rollout`
      : `Rolled out the feature flag ${what} to ${number(after['rollout_percentage']) ?? 0}%`,
  'impersonation.end': viewEnded,
  'incident.note': (told) => `Added a note to ${named(told, 'incident')}`,
  'incident.notify_customers': (told) => `Emailed customers about ${named(told, 'incident')}`,
  'incident.save_postmortem': (told) => `Saved the post-mortem of ${named(told, 'incident')}`,
  'incident.update_publicly': (told) => `Published an update on ${named(told, 'incident')}`,
  'invitation.accept': () => 'Accepted the invitation',
  'invoice.email_link': (told) =>
    `Emailed the payment link of ${invoiceOf(told)} to ${text(told.after['to']) ?? 'its customer'}`,
  'mail.read': ({ after }) => `Read the email to ${text(after['to']) ?? 'an unknown address'}`,
  'mail.send_again': ({ after }) => `Sent the email to ${text(after['to']) ?? 'an unknown address'} again`,
  'cache.clear': ({ row, after }) =>
    `Cleared ${row.resource_id === null ? 'all caches' : `the cache ${row.resource_id}`}${clearedKeys(after)}`,
  'job.delete': ({ before }) => `Deleted ${jobOf(before)}`,
  'job.delete_all': ({ after }) => `Deleted ${counted(number(after['jobs']) ?? 0, 'job')}${ofQueues(after)}`,
  'job.edit': ({ before }) => `Edited and retried ${jobOf(before)}`,
  'job.retry': ({ before }) => `Retried ${jobOf(before)}`,
  'job.retry_all': ({ after }) => `Retried ${counted(number(after['jobs']) ?? 0, 'job')}${ofQueues(after)}`,
  'mirror.cancel_import': () => 'Stopped the import from Stripe',
  'mirror.empty': () => 'Removed the data of another Stripe account',
  'mirror.import': () => 'Started an import from Stripe',
  'mirror.reconcile': () => 'Started a comparison with Stripe',
  'mirror.replay_event': ({ what }) => `Applied the Stripe event ${what} again`,
  'password_reset.accept': () => 'Chose a new password with a reset link',
  'plan.set_uptime_promise': ({ what }) => `Changed the uptime promise of ${what}`,
  'purchase.reset': ({ what }) => `Reset the purchase of ${what}`,
  'purchase.reset_undo': ({ what }) => `Undid the reset of the purchase of ${what}`,
  'recovery_kit.print': () => 'Printed the recovery kit',
  'push_subscription.create': () => 'Turned on browser notifications',
  'push_subscription.delete': () => 'Turned off browser notifications',
  'push_subscription.test': ({ after }) => `Tested browser notifications in ${text(after['browser']) ?? 'a browser'}`,
  'second_factor.begin': () => 'Started to set up two-step verification',
  'second_factor.enable': () => 'Turned on two-step verification',
  'second_factor.remove': () => 'Turned off two-step verification',
  'second_factor.renew_codes': () => 'Created new recovery codes',
  'second_factor.reset': ({ row, what }) => `${did(row, ['Reset', 'reset'])} the two-step verification of ${what}`,
  'report_schedule.create': ofReport(['Scheduled', 'schedule']),
  'report_schedule.delete': ofReport(['Deleted the schedule of', 'delete the schedule of']),
  'report_schedule.pause': ofReport(['Paused', 'pause']),
  'report_schedule.resubscribe': ofReport(['Subscribed again to', 'subscribe again to']),
  'report_schedule.resume': ofReport(['Resumed', 'resume']),
  'report_schedule.send': ofReport(['Emailed', 'email']),
  'report_schedule.send_now': ofReport(['Started to email', 'email']),
  'report_schedule.stop': (told) =>
    `${ofReport(['Stopped', 'stop'])(told)}: ${text(told.after['reason']) ?? 'unknown reason'}`,
  'report_schedule.unsubscribe': ofReport(['Unsubscribed from', 'unsubscribe from']),
  'report_schedule.update': (told) =>
    `${ofReport(['Changed the schedule of', 'change the schedule of'])(told)}${changedFields(told)}`,
  'secrets.rotate': () => 'Encrypted the stored secrets with a new key',
  'queue.pause': ({ what }) => `Paused the jobs "${jobTitle(what)}"`,
  'queue.resume': ({ what }) => `Resumed the jobs "${jobTitle(what)}"`,
  'money_drift.dismiss': ({ after }) =>
    `Dismissed the drift of ${text(after['subject']) ?? 'something'}: ${text(after['reason']) ?? 'no reason'}`,
  'money_drift.restore': ({ before }) => `Restored the drift of ${text(before['subject']) ?? 'something'}`,
  'security.run_checks': ({ after }) => `Ran the security checks: score ${number(after['score']) ?? 'unknown'}`,
  'session.expire': () => 'Session ended: limit reached',
  'session.revoke': ({ before }) => {
    const whose = text(before['actor_name'])
    return whose === null ? 'Ended one of their other sessions' : `Ended a session of ${whose}`
  },
  'session.second_factor': ({ after }) =>
    `Signed in with ${after['used'] === 'recovery_code' ? 'a recovery code' : 'a code from the app'}`,
  'session.sign_in': ({ row, after }) =>
    `${row.outcome === 'done' ? 'Signed in' : 'Failed sign-in'} ${methodOf(after)}`.trimEnd(),
  'session.sign_out': () => 'Signed out',
  'settings.change': ({ what, after }) => `Changed the setting "${settingName(what)}"${shortValue(after)}`,
  'settings.test': ({ what, after }) =>
    `Tested the connection to ${connections[what] ?? what}: ${(text(after['state']) ?? 'no answer').replaceAll('_', ' ')}`,
  'site.expire_status': (told) =>
    `Manual status of ${named(told, 'site')} ended: ${text(told.after['status']) ?? 'as before'} again`,
  'site.rotate_heartbeat': (told) => `Rotated the heartbeat URL of ${named(told, 'site')}`,
  'site.roll_back_environment': (told) =>
    `Rolled back the variables of ${named(told, 'site')} to version ${number(told.after['rolled_back_to']) ?? ''}`,
  'site.set_status': (told) => `Set ${named(told, 'site')} to ${text(told.after['status']) ?? 'another status'}`,
  'site.update_beacon': (told) =>
    `Switched the beacon of ${named(told, 'site')} ${told.after['is_on'] === true ? 'on' : 'off'}`,
  'site.update_heartbeat': (told) => `Changed the heartbeat of ${named(told, 'site')}`,
  'site.update_environment': (told) =>
    `Saved version ${number(told.after['version']) ?? ''} of the variables of ${named(told, 'site')}`,
  'sites.import': ({ after }) =>
    `Imported ${counted(number(after['created']) ?? 0, 'site')} from an older console${number(after['skipped']) ? `, skipped ${number(after['skipped'])}` : ''}`,
  'sql.cancel': ({ after }) => `Cancelled the SQL query ${queryOf(after)}`,
  'sql.commit': ({ after }) => `Committed an SQL change: ${rowsOf(after)}`,
  'sql.execute': ({ after }) => `Ran the SQL query ${queryOf(after)}`,
  'sql.explain': ({ after }) => `Explained the SQL query ${queryOf(after)}`,
  'sql.refuse': ({ after }) => `Tried to run the SQL query ${queryOf(after)}`,
  'sql.roll_back': ({ after }) => `Rolled back an SQL change: ${rowsOf(after)}`,
  'sql.write': ({ after }) => `Ran an SQL change, not committed yet: ${queryOf(after)}`,
  'user.change_password': ({ after }) => (after['first'] ? 'Chose a first password' : 'Changed the password'),
  'user.reset_password': ({ row, what }) => `${did(row, ['Reset', 'reset'])} the password of ${what}`,
}

const tries = (after: Facts): string => counted(number(after['failures']) ?? 0, 'failed attempt')

/** From the words of the action; an action that nobody gave words to is told as it is. */
function generic(told: Told): string {
  const { row, what } = told
  const [entity = '', verb = ''] = row.action.split('.')
  const [words, thing] = [verbs[verb], nouns[entity]]
  if (!words || !thing) return `${row.action} ${row.resource_id ?? row.resource_type}`
  const changes = verb === 'update' ? changedFields(told) : ''
  return `${did(row, words)} ${thing}${what === '' || what === entity ? '' : ` ${what}`}${changes}`
}

/** Their own words say how it went. */
const tellsItsOutcome = ({ action }: EntryRow): boolean =>
  action in deedSentences || action.endsWith('_end') || action === 'access.denied' || action === 'session.sign_in'

/** One sentence that says what an entry tells. */
export function detailsOf(row: EntryRow): string {
  const [before, after] = [factsOf(row.before), factsOf(row.after)]
  const told: Told = { row, before, after, what: nameOf(row, after, before) }
  const sentence = (deedSentences[row.action] ?? sentences[row.action] ?? generic)(told)
  return row.outcome === 'done' || tellsItsOutcome(row) ? sentence : `${sentence} (${row.outcome})`
}
