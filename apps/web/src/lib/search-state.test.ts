import { expect, test } from 'vitest'
import { oneOf, readState, someOf, text, whole, writeState } from './search-state.ts'

const schema = {
  search: text(),
  status: oneOf(['all', 'active', 'cancelled'], 'all'),
  types: someOf(['starter', 'free']),
  min: whole(),
  open: text('', { keepsPage: true }),
}
const read = (query: string) => readState(schema, new URLSearchParams(query))
const write = (query: string, change: Parameters<typeof writeState<typeof schema>>[2]) =>
  writeState(schema, new URLSearchParams(query), change).toString()

test('reads what it knows and takes the default for the rest', () => {
  expect(read('status=active&types=free,gold,starter&min=-5&search=a%20b')).toEqual({
    search: 'a b',
    status: 'active',
    types: ['free', 'starter'],
    min: -5,
    open: '',
  })
  expect(read('status=bogus&min=1e9&types=')).toEqual({ search: '', status: 'all', types: [], min: null, open: '' })
})

test.each([
  ['', { status: 'active' }, 'status=active'],
  ['status=active', { status: 'all' }, ''],
  ['', { types: ['free', 'starter'] }, 'types=free%2Cstarter'],
  ['min=5', { min: null }, ''],
  ['other=1', { search: 'x' }, 'other=1&search=x'],
] as const)('%j with %j becomes %j', (query, change, expected) => {
  expect(write(query, change as never)).toBe(expected)
})

test('a filter goes back to the first page, an opened row stays on its page', () => {
  expect(write('after=cus_1&at=25&size=25', { status: 'active' })).toBe('size=25&status=active')
  expect(write('after=cus_1&at=25', { open: 'cus_9' })).toBe('after=cus_1&at=25&open=cus_9')
})
