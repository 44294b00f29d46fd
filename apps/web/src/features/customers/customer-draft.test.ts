import type { CustomerForm } from '@agency/contract/types'
import { describe, expect, test } from 'vitest'
import { aCustomerForm } from '../../../test/fixtures.ts'
import {
  type CustomerDraft,
  changesOf,
  draftOf,
  draftProblems,
  emptyDraft,
  rebase,
  refusedField,
} from './customer-draft.ts'

const row = (key: string, value: string) => ({ id: key || 'none', key, value })
const ada = draftOf(aCustomerForm())
const changed = (part: Partial<CustomerDraft>) => changesOf({ ...ada, ...part }, ada)

describe('changesOf', () => {
  test.each<[string, Partial<CustomerDraft>, ReturnType<typeof changesOf>]>([
    ['nothing', {}, null],
    ['spaces around', { name: ' Ada Lovelace ' }, null],
    ['one field', { name: 'Ada King' }, { name: 'Ada King' }],
    ['an emptied field', { phone: ' ' }, { phone: null }],
    ['the account type', { account_type: '' }, { account_type: null }],
    [
      'a part of the address, whole',
      { city: 'Oxford' },
      {
        address: {
          line1: '12 St James’s Sq',
          line2: null,
          city: 'Oxford',
          state: null,
          postal_code: null,
          country: 'GB',
        },
      },
    ],
    ['metadata added', { metadata: [...ada.metadata, row(' vip ', 'yes')] }, { metadata: { vip: 'yes' } }],
    ['metadata removed', { metadata: [] }, { metadata: { note: null } }],
    ['a pair that was left empty', { metadata: [...ada.metadata, row('', '')] }, null],
    [
      'a renamed key',
      { metadata: [row('remark', 'prefers email')] },
      { metadata: { remark: 'prefers email', note: null } },
    ],
  ])('%s', (_, part, expected) => {
    expect(changed(part)).toEqual(expected)
  })

  test('of a new customer are all that was entered', () => {
    expect(changesOf({ ...emptyDraft, email: 'a@b.example' })).toEqual({ email: 'a@b.example' })
  })
})

describe('draftProblems', () => {
  test.each<[string, Partial<CustomerDraft>, string, RegExp]>([
    ['neither name nor email', { name: ' ', email: '' }, 'name', /name or an email/],
    ['a long phone number', { phone: '1'.repeat(21) }, 'phone', /20/],
    ['a country that is none', { country: 'USA' }, 'country', /two-letter/],
    ['a value without a key', { metadata: [row('', 'x')] }, 'metadata', /needs a key/],
    ['a key without a value', { metadata: [row('x', '')] }, 'metadata', /remove the pair/],
    ['two equal keys', { metadata: [row('a', '1'), { ...row('a ', '2'), id: 'b' }] }, 'metadata', /same key/],
    ['a long key', { metadata: [row('k'.repeat(41), 'x')] }, 'metadata', /40/],
    ['a long value', { metadata: [row('k', 'x'.repeat(501))] }, 'metadata', /500/],
    ['brackets', { metadata: [row('a[b]', 'x')] }, 'metadata', /brackets/],
    ['a key of the console', { metadata: [row('action_id', 'x')] }, 'metadata', /action_id/],
    ['too many', { metadata: Array.from({ length: 48 }, (_, i) => row(`k${i}`, 'x')) }, 'metadata', /47/],
  ])('%s', (_, part, field, text) => {
    const problems = draftProblems({ ...ada, ...part })
    expect(Object.keys(problems)).toEqual([field])
    expect(Object.values(problems)[0]).toMatch(text)
  })

  test('finds nothing wrong with what came from the server', () => {
    expect(draftProblems(ada)).toEqual({})
  })
})

test('what was typed is kept over what somebody else changed', () => {
  const typed = { ...ada, name: 'Ada King', metadata: [row('vip', 'yes')] }
  const form: CustomerForm = { ...aCustomerForm(), email: 'new@example.com', metadata: { note: 'other', tier: 'a' } }
  const now = rebase(typed, ada, draftOf(form))
  expect(now).toMatchObject({ name: 'Ada King', email: 'new@example.com', phone: ada.phone })
  expect(now.metadata.map(({ key, value }) => [key, value])).toEqual([
    ['tier', 'a'],
    ['vip', 'yes'],
  ])
})

test.each([
  ['email', 'Stripe refused this: no', { email: 'Stripe refused this: no' }],
  ['address.country', 'address.country: bad', { country: 'bad' }],
  ['address[city]', 'bad', { city: 'bad' }],
  ['metadata[company]', 'too long', { company: 'too long' }],
  ['metadata[x]', 'bad', { metadata: 'bad' }],
  ['version', 'old', {}],
])('a refusal of %s is told at its field', (parameter, message, expected) => {
  expect(refusedField({ message, parameter })).toEqual(expected)
})
