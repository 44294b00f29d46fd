import type { EntryRow } from '../src/features/audit/queries/columns.ts'

type Sample = { name?: string; after?: object; before?: object; id?: string | null; type?: string }

const customer = 'Castine Chandlery'

/** What people call a thing of this kind; the others are told by what their entry says. */
const names: Record<string, string> = {
  alert: 'Castine Chandlery is down',
  channel: 'Ops on Slack',
  coupon: 'Spring sale',
  customer,
  customer_note: customer,
  deployment: customer,
  incident: 'INC-7 Checkout broken',
  invoice: customer,
  payment: customer,
  payment_link: 'Starter Care',
  promotion_code: 'SPRING20',
  site: customer,
  subscription: 'Starter Care (Castine Chandlery)',
}

/** What most entries say of what they are about. */
const facts: Record<string, object> = {
  account: { email: 'ada@seaside.example', failures: 5 },
  address: { failures: 5 },
  admin_key: {},
  alert_rule: { name: 'Site down', threshold: 3 },
  api_key: { name: 'Reporting', overlap_hours: 24 },
  backup: { name: 'Nightly', type: 'full', rows: 12_345, reason: 'The disk is full' },
  backup_plan: { cadence: 'daily', keep: 14 },
  cache: { pattern: '/api/*' },
  domain: { name: 'castine.example', what: 'the A record www.castine.example' },
  export: { title: 'Customers', format: 'csv', rows: 1234, reason: 'The disk is full' },
  feature_flag: { name: 'new-menu', rollout_percentage: 40, steps: [{ enabled: true, rollout_percentage: 10 }] },
  invitation: { name: 'Ada' },
  invoice: { number: 'SEA-0042', amount: 7450, currency: 'usd', to: 'owner@castine.example' },
  job: { queue: 'mail.send', jobs: 3, queues: { 'mail.send': 3 } },
  link: { name: 'Ada' },
  mail: { to: 'owner@castine.example' },
  maintenance: { title: 'New switches' },
  money_drift: { subject: 'shop.castine.example', reason: 'Free by agreement' },
  notification_route: { name: 'to Ops on Slack' },
  payment: { amount: 7450, currency: 'usd' },
  payment_link: { plan_name: 'Starter Care', active: false },
  promotion_code: { code: 'SPRING20', active: false },
  push_subscription: { browser: 'Firefox on Linux' },
  report_schedule: { report: 'revenue', cadence: 'weekly', reason: 'Grace lost the permission' },
  role: { display_name: 'Sales' },
  second_factor: { name: 'Ada' },
  security: { score: 92 },
  session: { method: 'email', used: 'code' },
  sites: { created: 2, skipped: 1 },
  sql: { query: 'select * from customers', affected: 2, table: 'customer_notes' },
  sql_snippet: { name: 'All customers' },
  status_page: { name: 'Seaside Web' },
  user: { name: 'Ada' },
}

/** Where an action says something else. */
const samples: Record<string, Sample> = {
  'access.denied': { id: 'GET /admin/audit', after: { permission: 'admin.system' } },
  'alert.assign': { after: { assignee: 'Ada' } },
  'address.lock': { id: '203.0.113.9' },
  'address.release': { id: '203.0.113.9', after: {} },
  'alert_rule.update': { before: { threshold: 5 } },
  'audit.verify_end': { after: { state: 'intact', checked: 109 } },
  'cache.clear': { id: 'answers' },
  'customer.give_sla_credit': { after: { amount: 1450, currency: 'usd' } },
  'deployment.continue_rings': { after: { accepted: 1 } },
  'deployment.export_log': { after: { deployment_id: 'dep_42' } },
  'deployment.export_log_end': { after: { deployment_id: 'dep_42' } },
  'deployment.fail': { after: { failure: 'The build failed' } },
  'deployment.start_rings': { after: { sites: 12, rings: [1, 11] } },
  'deployment.take_in': { after: { deployments: 16, project: 'castine' } },
  'domain.add': { after: { name: 'castine.example', what: 'castine.example' } },
  'domain.change_setting': { after: { what: 'the minimum TLS version of castine.example' } },
  'domain.purge_cache': { after: { name: 'castine.example', what: 'everything' } },
  'domain.undo_setting': { after: { what: 'the minimum TLS version of castine.example' } },
  'feature_flag.update': { before: { rollout_percentage: 10, version: 1 }, after: { version: 2 } },
  'impersonation.end': {
    type: 'customer',
    after: { of: 'Grace', cause: 'signed_out', seconds: 200, pages: ['account'] },
  },
  'impersonation.start': { type: 'customer', after: { way: 'portal' } },
  'incident.update': { before: { status: 'investigating' }, after: { status: 'monitoring' } },
  'invoice.create': { type: 'customer', after: { amount: 7450, currency: 'usd' } },
  'mirror.replay_event': { id: 'evt_42' },
  'plan.set_uptime_promise': { after: { name: 'Starter Care' } },
  'promotion_code.create': { type: 'coupon' },
  'purchase.reset': { after: { name: customer } },
  'purchase.reset_undo': { after: { name: customer } },
  'queue.pause': { id: 'mail.send' },
  'queue.resume': { id: 'mail.send' },
  'session.revoke': { before: { actor_name: 'Ada' } },
  'settings.change': { id: 'company.name', after: { value: 'Seaside Web' } },
  'settings.test': { id: 'smtp', after: { state: 'connected' } },
  'site.expire_status': { after: { status: 'live' } },
  'site.roll_back_environment': { after: { rolled_back_to: 1 } },
  'site.set_status': { after: { status: 'maintenance' } },
  'site.update_beacon': { after: { is_on: true } },
  'site.update_environment': { after: { version: 2 } },
  'subscription.create': { type: 'customer', after: { plan_name: 'Starter Care' } },
  'webhook_endpoint.create': { after: { url: 'https://console.seaside.example/api/stripe/events' } },
}

const kinds = (action: string): string => action.split('.')[0] ?? ''

/** An entry of this action as it is usually written. */
export function sampleEntry(action: string, state: string | null, outcome: EntryRow['outcome']): EntryRow {
  const sample = samples[action] ?? {}
  const kind = sample.type ?? kinds(action)
  const known = facts[kinds(action)] ?? {}
  const after = { ...known, ...sample.after, ...(state !== null && { state }) }
  return {
    ...{ id: '1', at: '2026-11-25T12:00:00Z', actor_type: 'user', actor_id: 'u_grace', actor_name: 'Grace', action },
    ...{ resource_type: kind, resource_id: sample.id === undefined ? `${kind}_1` : sample.id },
    ...{ resource_name: sample.name ?? names[kind] ?? null, outcome, after, before: { ...known, ...sample.before } },
    ...{ address: null, request_id: null },
  }
}
