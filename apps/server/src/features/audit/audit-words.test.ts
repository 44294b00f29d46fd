import { expect, test } from 'vitest'
import { writtenActions } from '../../../test/written-actions.ts'
import { detailsOf } from './audit-words.ts'
import type { EntryRow } from './queries/columns.ts'

const entry = (given: Partial<EntryRow>): EntryRow => ({
  ...{ id: '1', at: '2026-03-01T09:00:00Z', actor_type: 'user', actor_id: 'u', actor_name: 'Grace' },
  ...{ action: 'user.create', resource_type: 'user', resource_id: 'u_1', outcome: 'done' },
  ...{ resource_name: null, before: null, after: null, address: null, request_id: null, ...given },
})

test.each([
  [{ action: 'user.create', after: { name: 'Ada', email: 'ada@example.com' } }, 'Created the user Ada'],
  [{ action: 'user.delete', before: { email: 'ada@example.com' } }, 'Deleted the user ada@example.com'],
  [
    { action: 'user.update', before: { name: 'Ada', role_id: 'a' }, after: { name: 'Ada', role_id: 'b' } },
    'Changed the user Ada: role id',
  ],
  [{ action: 'api_key.revoke', resource_type: 'api_key', before: { name: 'Reports' } }, 'Revoked the API key Reports'],
  [
    { action: 'api_key.roll', resource_type: 'api_key', after: { name: 'Reports', overlap_hours: 1 } },
    'Rotated the API key Reports; the old key works for 1 hour more',
  ],
  [
    {
      action: 'payment.refund',
      resource_type: 'payment',
      resource_id: 'pi_1',
      after: { amount: 1250, currency: 'eur', state: 'done' },
    },
    'Refunded €12.50 for the payment pi_1',
  ],
  [
    { action: 'customer.suspend', resource_type: 'customer', resource_id: 'cus_1', after: { state: 'cancelled' } },
    'Did not suspend the customer cus_1 (cancelled)',
  ],
  [
    { action: 'customer.erase', resource_type: 'customer', resource_id: 'cus_1', outcome: 'denied' },
    'Tried to erase the customer cus_1 (denied)',
  ],
  [
    {
      action: 'invoice.create',
      resource_type: 'customer',
      resource_id: 'cus_1',
      after: { amount: 1250, currency: 'eur', state: 'requested' },
    },
    'Started to send an invoice for €12.50 to the customer cus_1',
  ],
  [
    { action: 'invoice.void', resource_type: 'invoice', resource_id: 'in_1', after: { number: 'A-1', state: 'done' } },
    'Voided invoice A-1',
  ],
  [
    {
      action: 'access.denied',
      outcome: 'denied',
      resource_id: 'GET /admin/audit',
      after: { permission: 'admin.system' },
    },
    'Denied GET /admin/audit: needs the permission admin.system',
  ],
  [
    { action: 'settings.change', resource_type: 'setting', resource_id: 'company.name', after: { value: 'Acme' } },
    'Changed the setting "company name" to Acme',
  ],
  [
    {
      action: 'settings.change',
      resource_type: 'setting',
      resource_id: 'audit.head_recipients',
      after: { value: ['a'] },
    },
    'Changed the setting "audit head recipients"',
  ],
  [{ action: 'session.revoke', before: { actor_name: 'Ada' } }, 'Ended a session of Ada'],
  [
    { action: 'api_key.roll', resource_type: 'api_key', outcome: 'denied', after: { name: 'Reports' } },
    'Tried to rotate the API key Reports (denied)',
  ],
  [
    { action: 'user.reset_password', outcome: 'denied', after: { name: 'Ada' } },
    'Tried to reset the password of Ada (denied)',
  ],
  [
    { action: 'impersonation.start', resource_type: 'customer', resource_id: 'cus_1', after: { way: 'view' } },
    'Viewed the account of the customer cus_1 (read-only)',
  ],
  [
    {
      ...{ action: 'impersonation.start', resource_type: 'customer', resource_id: 'cus_1', outcome: 'failed' },
      after: { way: 'portal', state: 'failed' },
    },
    'Could not open the billing portal of the customer cus_1',
  ],
  [
    {
      ...{ action: 'impersonation.end', resource_type: 'customer', resource_id: 'cus_1' },
      after: { cause: 'signed_out', of: 'Grace', seconds: 200, pages: ['account'] },
    },
    'Ended the view of the customer cus_1 by Grace after 3 minutes (signed out), 1 page viewed',
  ],
  [
    {
      ...{ action: 'domain.purge_cache', resource_type: 'domain', resource_id: 'z_1', outcome: 'failed' },
      after: { name: 'bakery.example', what: '2 hosts', state: 'unknown' },
    },
    'Tried to purge 2 hosts from the cache of bakery.example; outcome unknown',
  ],
  [
    {
      ...{ action: 'domain.add_record', resource_type: 'domain', resource_id: 'z_1' },
      after: { name: 'www.bakery.example', what: 'the A record www.bakery.example', state: 'done' },
    },
    'Added the A record www.bakery.example',
  ],
  [
    {
      ...{ action: 'domain.undo_record', resource_type: 'domain', resource_id: 'z_1', outcome: 'failed' },
      after: { name: 'www.bakery.example', what: 'the A record www.bakery.example', state: 'failed' },
    },
    'Could not undo the last change of the A record www.bakery.example',
  ],
  [{ action: 'session.revoke' }, 'Ended one of their other sessions'],
  [{ action: 'admin_key.replace', resource_type: 'admin_key', resource_id: 'admin_key' }, 'Replaced the admin key'],
  [
    { action: 'user.deactivate', outcome: 'denied', after: { name: 'Ada' } },
    'Tried to deactivate the user Ada (denied)',
  ],
  [{ action: 'session.sign_in', after: { method: 'email' } }, 'Signed in with email and password'],
  [{ action: 'session.sign_in', outcome: 'failed', after: { method: 'login' } }, 'Failed sign-in with the admin key'],
  [
    { action: 'role.update', resource_type: 'role', outcome: 'failed', after: { display_name: 'Sales' } },
    'Tried to change the role Sales: display name (failed)',
  ],
  [
    {
      ...{ action: 'payment.refund', resource_type: 'payment', resource_id: 'pi_1', resource_name: 'Pinecrest Dental' },
      after: { amount: 7450, currency: 'usd', state: 'done' },
    },
    'Refunded $74.50 to Pinecrest Dental',
  ],
  [
    {
      ...{ action: 'subscription.undo_cancel', resource_type: 'subscription', resource_id: 'sub_1' },
      ...{ resource_name: 'Professional Care (Castine Chandlery)', after: { state: 'done' } },
    },
    'Undid the cancellation of Professional Care (Castine Chandlery)',
  ],
  [
    {
      ...{ action: 'customer.unsuspend', resource_type: 'customer', resource_id: 'cus_1' },
      ...{ resource_name: 'Castine Chandlery', after: { state: 'done' } },
    },
    'Lifted the suspension of Castine Chandlery',
  ],
  [
    {
      ...{ action: 'domain.purge_cache', resource_type: 'domain', resource_id: 'z_1' },
      after: { name: 'bakery.example', what: 'everything', state: 'done' },
    },
    'Purged the whole cache of bakery.example',
  ],
  [
    {
      ...{ action: 'deployment.take_in', resource_type: 'project', resource_id: 'shop' },
      after: { deployments: 16, project: 'shop' },
    },
    'Imported 16 deployments of the project shop',
  ],
  [
    {
      ...{ action: 'customer_note.create', resource_type: 'customer_note', resource_id: 'note_1' },
      ...{ resource_name: 'Castine Chandlery', after: { customer_id: 'cus_1' } },
    },
    'Added a note about Castine Chandlery',
  ],
  [
    {
      ...{ action: 'alert.acknowledge', resource_type: 'alert', resource_id: 'al_1' },
      resource_name: 'Harbour Bakery is down',
    },
    'Acknowledged the alert Harbour Bakery is down',
  ],
  [
    {
      ...{ action: 'feature_flag.start_rollout', resource_type: 'feature_flag', resource_id: 'flag_1' },
      after: { name: 'new-menu', steps: [{ enabled: true, rollout_percentage: 10 }, { enabled: false }] },
    },
    'Started the rollout of new-menu: 10%, then off',
  ],
  [
    { action: 'feature_flag.step', after: { name: 'new-menu', rollout_percentage: 40 } },
    'Rolled out the feature flag new-menu to 40%',
  ],
  [
    { action: 'feature_flag.step', after: { name: 'new-menu', enabled: false, rollout_percentage: 40 } },
    'Switched off the feature flag new-menu by its rollout',
  ],
  [
    { action: 'deployment.start_rings', after: { sites: 12, rings: [1, 11] } },
    'Started to redeploy 12 sites in 2 rings',
  ],
  [
    { action: 'alert.assign', after: { title: 'Harbour Bakery is down', assignee: null } },
    'Unassigned the alert Harbour Bakery is down',
  ],
  [
    { action: 'report_schedule.send_now', outcome: 'denied', after: { report: 'customer' } },
    'Tried to email the website report (denied)',
  ],
  [
    { action: 'report_schedule.send', resource_name: 'Harbour Bakery', after: { report: 'customer' } },
    'Emailed the website report for Harbour Bakery',
  ],
  [
    { action: 'invoice.mark_paid', resource_type: 'invoice', resource_name: 'Ada', after: { state: 'done' } },
    'Marked an invoice of Ada as paid',
  ],
  [
    { action: 'backup.drill', outcome: 'failed', after: { name: 'Nightly', state: 'failed', reason: 'Disk full' } },
    'The restore drill of Nightly failed: Disk full',
  ],
  [
    { action: 'customer.give_sla_credit', resource_name: 'Ada', after: { state: 'requested' } },
    'Started to give an SLA credit to Ada',
  ],
  [
    { action: 'deployment.cancel', resource_id: 'dep_1', after: { state: 'requested' } },
    'Started to cancel the deployment dep_1',
  ],
  [{ action: 'zone.purge', resource_type: 'zone', resource_id: 'z_1' }, 'zone.purge z_1'],
  [{ action: 'zone.purge', resource_type: 'zone', resource_id: null }, 'zone.purge zone'],
  [{ action: 'user.create', after: ['not', 'an object'] }, 'Created the user u_1'],
] satisfies [Partial<EntryRow>, string][])('%j is told in a sentence', (given, expected) => {
  expect(detailsOf(entry(given))).toBe(expected)
})

test('every action has words of its own', async () => {
  const actions = await writtenActions()
  expect(actions.length).toBeGreaterThan(150)
  const told = actions.map((action) => detailsOf(entry({ action, resource_type: action.split('.')[0] ?? '' })))
  expect(told.filter((sentence, at) => sentence.startsWith(actions[at] ?? ''))).toEqual([])
})
