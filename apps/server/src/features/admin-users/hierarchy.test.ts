import { type Permission, permissions } from '@agency/contract/permissions'
import { expect, test } from 'vitest'
import { type Caller, whyLocked, whyNotGiven, whyRoleLocked, whyRoleNotGiven } from './hierarchy.ts'

const set = (...held: Permission[]): ReadonlySet<Permission> => new Set(held)
const all: ReadonlySet<Permission> = new Set(permissions)
const caller = (role: string, held: ReadonlySet<Permission>): Caller => ({ id: 'me', role, permissions: held })

const superAdmin = caller('super_admin', all)
const everything = caller('everything', all)
const lead = caller('lead', set('admin.users', 'customers.read', 'customers.write'))

const below = 'You can only change people with fewer permissions than yours'

test.each([
  ['a super admin changes another', superAdmin, { id: 'other', permissions: all }, null],
  ['a super admin changes themselves', superAdmin, { id: 'me', permissions: all }, null],
  ['who holds everything is no super admin', everything, { id: 'other', permissions: all }, below],
  ['who holds everything changes who holds less', everything, { id: 'other', permissions: set('admin.system') }, null],
  ['less of the same', lead, { id: 'other', permissions: set('customers.read') }, null],
  ['nothing at all', lead, { id: 'other', permissions: set() }, null],
  ['the same', lead, { id: 'other', permissions: lead.permissions }, below],
  ['fewer, but one that the caller lacks', lead, { id: 'other', permissions: set('billing.read') }, below],
  ['more', lead, { id: 'other', permissions: all }, below],
  ['themselves', lead, { id: 'me', permissions: set('customers.read') }, 'You cannot change your own account here'],
])('changing people: %s', (_name, who, target, reason) => {
  expect(whyLocked(who, target)).toBe(reason)
})

test.each([
  ['a super admin', superAdmin, all, null],
  ['less', lead, set('customers.read'), null],
  ['the same', lead, lead.permissions, 'You can only change roles with fewer permissions than yours'],
  ['another', lead, set('billing.read'), 'You can only change roles with fewer permissions than yours'],
])('changing roles: %s', (_name, who, held, reason) => {
  expect(whyRoleLocked(who, held)).toBe(reason)
})

test.each([
  ['what is held', lead, set('customers.read', 'admin.users'), null],
  ['nothing', lead, set(), null],
  [
    'what is not',
    lead,
    set('customers.read', 'billing.read', 'admin.system'),
    'You cannot give permissions that you do not have: View billing, Manage the system',
  ],
  ['anything', superAdmin, all, null],
])('giving permissions: %s', (_name, who, held, reason) => {
  expect(whyNotGiven(who, held)).toBe(reason)
})

test.each([
  ['a super admin makes another', superAdmin, null],
  ['who holds everything does not', everything, 'Only a super admin can make a super admin'],
])('giving the role of a super admin: %s', (_name, who, reason) => {
  expect(whyRoleNotGiven(who, { name: 'super_admin', permissions: all })).toBe(reason)
})
