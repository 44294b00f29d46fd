import { describe, expect, test } from 'vitest'
import { changeOf, differenceOf, editableOf, hasTooManyKeys, nothing, versionOf } from './editable.ts'

const address = { line1: '1 Main St', line2: null, city: 'Bangor', state: 'ME', postal_code: '04401', country: 'US' }
const object = {
  id: 'cus_1',
  object: 'customer',
  name: 'Ada',
  email: 'ada@example.com',
  phone: null,
  address,
  metadata: { company: ' Engines ', account_type: 'Starter', action_id: 'customer-1', note: 'x' },
}
const ada = editableOf(object)

test('is read from what the provider sent, without what has a field of its own', () => {
  expect(ada).toEqual({
    name: 'Ada',
    email: 'ada@example.com',
    phone: null,
    company: 'Engines',
    account_type: 'starter',
    address,
    metadata: { note: 'x' },
  })
  expect(editableOf({ metadata: null, address: 'odd', name: 7 })).toEqual(nothing)
})

describe('the version', () => {
  test.each([
    ['the name', { name: 'Grace' }],
    ['a part of the address', { address: { ...address, city: 'Orono' } }],
    ['metadata', { metadata: { ...object.metadata, note: 'y' } }],
    ['the account type', { metadata: { ...object.metadata, account_type: 'free' } }],
  ])('differs with %s', (_, change) => {
    expect(versionOf(editableOf({ ...object, ...change }))).not.toBe(versionOf(ada))
  })

  test('stays with the order of keys and with what cannot be changed here', () => {
    const { metadata, ...rest } = object
    const turned = { metadata: Object.fromEntries(Object.entries(metadata).reverse()), balance: 7, ...rest }
    expect(versionOf(editableOf(turned))).toBe(versionOf(ada))
  })
})

describe('the change', () => {
  test.each<[string, Parameters<typeof changeOf>[1], ReturnType<typeof changeOf>]>([
    ['nothing that was left out', {}, null],
    ['nothing that is so already', { name: 'Ada', company: 'Engines', metadata: { note: 'x' }, address }, null],
    ['nothing that was not there', { phone: null, metadata: { gone: null, empty: '' } }, null],
    ['one field', { name: 'Grace' }, { name: 'Grace' }],
    ['a field that is unset', { email: null }, { email: null }],
    ['the company as metadata', { company: 'Navy' }, { metadata: { company: 'Navy' } }],
    ['no company at all', { company: null }, { metadata: { company: null }, business_name: null }],
    ['the account type as metadata', { account_type: null }, { metadata: { account_type: null } }],
    ['metadata, added and removed', { metadata: { note: null, vip: 'yes' } }, { metadata: { note: null, vip: 'yes' } }],
    [
      'the whole address for a part of it',
      { address: { ...address, city: null } },
      { address: { ...address, city: null } },
    ],
    ['no address', { address: null }, { address: null }],
  ])('sends %s', (_, wanted, change) => {
    expect(changeOf(ada, wanted)).toEqual(change)
  })

  test('takes a key that every object has for one that is not there', () => {
    expect(changeOf(ada, { metadata: { constructor: 'a', toString: null } })).toEqual({
      metadata: { constructor: 'a' },
    })
  })
})

test('more keys than the provider takes are refused, fewer never', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 'x']))
  expect(hasTooManyKeys(nothing, { metadata: keys(47) })).toBe(false)
  expect(hasTooManyKeys(nothing, { metadata: keys(48) })).toBe(true)
  const full = { ...nothing, metadata: keys(50) }
  expect(hasTooManyKeys(full, { name: 'Ada', metadata: { key_1: 'y' } })).toBe(false)
  expect(hasTooManyKeys(full, { metadata: { key_1: null, other: 'x' } })).toBe(false)
  expect(hasTooManyKeys(full, { metadata: { other: 'x' } })).toBe(true)
})

test('the audit log is told both sides of what differs only', () => {
  const after = { ...ada, name: 'Grace', metadata: { vip: 'yes' } }
  expect(differenceOf(ada, after)).toEqual({
    before: { name: 'Ada', metadata: { note: 'x', vip: null } },
    after: { name: 'Grace', metadata: { note: null, vip: 'yes' } },
  })
})
