import { expect, test } from 'vitest'
import { judgeFactors } from './people.ts'

const role = { name: 'Admin', permissions: ['billing.write'], requires: true, people: 2, withFactor: 2 }

test.each([
  ['every role requires it and everybody has it', {}, 'ok'],
  ['somebody has none', { withFactor: 1 }, 'warning'],
  ['the role does not require it', { requires: false }, 'warning'],
  ['the role may only read', { requires: false, withFactor: 0, permissions: ['billing.read'] }, 'ok'],
  ['nobody has the role and it does not require it', { people: 0, withFactor: 0, requires: false }, 'warning'],
])('%s', (_name, change, expected) => {
  expect(judgeFactors([{ ...role, ...change }]).state).toBe(expected)
})

test('says how many of each role have one, and which do not require it', () => {
  const lax = { ...role, name: 'Support', requires: false, people: 3, withFactor: 1 }
  expect(judgeFactors([role, lax]).finding).toBe(
    'With two-step verification: Admin 2 of 2, Support 1 of 3. Not required of Support',
  )
})
