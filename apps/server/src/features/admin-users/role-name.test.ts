import { expect, test } from 'vitest'
import { roleNameOf } from './role-name.ts'

test.each([
  ['Billing clerk', [], 'billing_clerk'],
  ['  Équipe  d’été ', [], 'equipe_d_ete'],
  ['Level 2 support!', [], 'level_2_support'],
  ['2nd level', [], 'nd_level'],
  ['経理', [], 'role'],
  ['経理', ['role'], 'role_2'],
  ['Support', ['support', 'support_2'], 'support_3'],
  ['x', [], 'role'],
  ['a'.repeat(60), ['a'.repeat(40)], `${'a'.repeat(38)}_2`],
])('%s is %s', (displayName, taken, name) => {
  const made = roleNameOf(displayName, new Set(taken))
  expect(made).toBe(name)
  // What the table demands.
  expect(made).toMatch(/^[a-z][a-z0-9_]{1,39}$/)
})
