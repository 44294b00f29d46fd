import type { CustomerForm } from '@agency/contract/types'
import { describe, expect, test } from 'vitest'
import { aCustomerForm } from '../../../test/fixtures.ts'
import { type CustomerFields, changesOf, customerForm, emptyFields, fieldsOf } from './customer-fields.ts'

const row = (key: string, value: string) => ({ id: key || 'none', key, value })
const ada = fieldsOf(aCustomerForm())
const changed = (part: Partial<CustomerFields>) => changesOf({ ...ada, ...part }, ada)

describe('changesOf', () => {
  test.each<[string, Partial<CustomerFields>, ReturnType<typeof changesOf>]>([
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
    expect(changesOf({ ...emptyFields, email: 'a@b.example' })).toEqual({ email: 'a@b.example' })
  })
})

describe('what is wrong', () => {
  test.each<[string, Partial<CustomerFields>, string, RegExp]>([
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
    const problems = customerForm.problemsOf({ ...ada, ...part })
    expect(Object.keys(problems)).toEqual([field])
    expect(Object.values(problems)[0]).toMatch(text)
  })

  test('finds nothing wrong with what came from the server', () => {
    expect(customerForm.problemsOf(ada)).toEqual({})
  })
})

test('metadata that was typed is kept pair by pair over what somebody else changed', () => {
  const typed = { ...ada, metadata: [row('vip', 'yes')] }
  const form: CustomerForm = { ...aCustomerForm(), metadata: { note: 'other', tier: 'a' } }
  const now = customerForm.merge(typed, ada, fieldsOf(form))
  expect(now.metadata.map(({ key, value }) => [key, value])).toEqual([
    ['tier', 'a'],
    ['vip', 'yes'],
  ])
})
