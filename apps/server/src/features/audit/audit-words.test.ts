import { expect, test } from 'vitest'
import { detailsOf } from './audit-words.ts'
import type { EntryRow } from './queries/columns.ts'

const entry = (given: Partial<EntryRow>): EntryRow => ({
  ...{ id: '1', at: '2026-03-01T09:00:00Z', actor_type: 'user', actor_id: 'u', actor_name: 'Grace' },
  ...{ action: 'user.create', resource_type: 'user', resource_id: 'u_1', outcome: 'done' },
  ...{ before: null, after: null, address: null, request_id: null, ...given },
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
    'Rolled the API key Reports; the one before stays good for 1 hour',
  ],
  [
    {
      action: 'payment.refund',
      resource_type: 'payment',
      resource_id: 'pi_1',
      after: { amount: 1250, currency: 'eur', state: 'done' },
    },
    'Refund of €12.50 for the payment pi_1 was done',
  ],
  [
    { action: 'customer.suspend', resource_type: 'customer', resource_id: 'cus_1', after: { state: 'cancelled' } },
    'Suspension of the customer cus_1 was called off',
  ],
  [
    { action: 'customer.erase', resource_type: 'customer', resource_id: 'cus_1', outcome: 'denied' },
    'Erasure of the customer cus_1 was refused',
  ],
  [
    {
      action: 'invoice.create',
      resource_type: 'customer',
      resource_id: 'cus_1',
      after: { amount: 1250, currency: 'eur', state: 'requested' },
    },
    'New invoice over €12.50 for the customer cus_1 was asked for',
  ],
  [
    { action: 'invoice.void', resource_type: 'invoice', resource_id: 'in_1', after: { number: 'A-1', state: 'done' } },
    'Voiding of the invoice A-1 was done',
  ],
  [
    {
      action: 'access.denied',
      outcome: 'denied',
      resource_id: 'GET /admin/audit',
      after: { permission: 'admin.system' },
    },
    'Was refused GET /admin/audit: the permission admin.system is missing',
  ],
  [
    { action: 'settings.change', resource_type: 'setting', resource_id: 'company.name', after: { value: 'Acme' } },
    'Changed the setting company.name to Acme',
  ],
  [
    {
      action: 'settings.change',
      resource_type: 'setting',
      resource_id: 'audit.head_recipients',
      after: { value: ['a'] },
    },
    'Changed the setting audit.head_recipients',
  ],
  [{ action: 'session.revoke', before: { actor_name: 'Ada' } }, 'Ended a session of Ada'],
  [
    { action: 'api_key.roll', resource_type: 'api_key', outcome: 'denied', after: { name: 'Reports' } },
    'Tried to roll the API key Reports (denied)',
  ],
  [
    { action: 'user.reset_password', outcome: 'denied', after: { name: 'Ada' } },
    'Tried to reset the password of Ada (denied)',
  ],
  [
    { action: 'impersonation.start', resource_type: 'customer', resource_id: 'cus_1', after: { way: 'view' } },
    'Opened a read-only view of the account of the customer cus_1',
  ],
  [
    {
      ...{ action: 'impersonation.start', resource_type: 'customer', resource_id: 'cus_1', outcome: 'failed' },
      after: { way: 'portal', state: 'failed' },
    },
    'The billing portal of the customer cus_1 could not be opened',
  ],
  [
    {
      ...{ action: 'impersonation.end', resource_type: 'customer', resource_id: 'cus_1' },
      after: { cause: 'signed_out', of: 'Grace', seconds: 200, pages: ['account'] },
    },
    'The view of Grace of the customer cus_1 ended after 3 minutes (with the sign-out), 1 page seen',
  ],
  [
    {
      ...{ action: 'domain.purge_cache', resource_type: 'domain', resource_id: 'z_1', outcome: 'failed' },
      after: { name: 'bakery.example', what: '2 hosts', state: 'unknown' },
    },
    'Purge of 2 hosts of the domain bakery.example has an unknown outcome',
  ],
  [{ action: 'session.revoke' }, 'Ended another session of their own'],
  [{ action: 'admin_key.replace', resource_type: 'admin_key', resource_id: 'admin_key' }, 'Replaced the admin key'],
  [
    { action: 'user.deactivate', outcome: 'denied', after: { name: 'Ada' } },
    'Tried to deactivate the user Ada (denied)',
  ],
  [{ action: 'session.sign_in', after: { method: 'email' } }, 'Signed in with email and password'],
  [
    { action: 'session.sign_in', outcome: 'failed', after: { method: 'login' } },
    'Tried in vain to sign in with the admin key',
  ],
  [
    { action: 'customers.export_end', resource_type: 'customers', resource_id: null, after: { rows: 1234 } },
    'Exported 1,234 rows of customers',
  ],
  [
    {
      action: 'customers.export_end',
      resource_type: 'customers',
      resource_id: null,
      outcome: 'failed',
      after: { rows: 1 },
    },
    'The export of customers broke off after 1 row',
  ],
  [
    { action: 'role.update', resource_type: 'role', outcome: 'failed', after: { display_name: 'Sales' } },
    'Tried to change the role Sales: display name (failed)',
  ],
  [{ action: 'zone.purge', resource_type: 'zone', resource_id: 'z_1' }, 'zone.purge z_1'],
  [{ action: 'zone.purge', resource_type: 'zone', resource_id: null }, 'zone.purge zone'],
  [{ action: 'user.create', after: ['not', 'an object'] }, 'Created the user u_1'],
] satisfies [Partial<EntryRow>, string][])('%j is told in a sentence', (given, expected) => {
  expect(detailsOf(entry(given))).toBe(expected)
})
