import * as sites from '@agency/contract/descriptors/sites'
import { expect, test } from 'vitest'
import { q } from '../api.ts'
import { oneOf, readState, someOf, text, whole } from '../search-state.ts'
import { chipsOf, chosenOf, defineList } from './define-list.ts'

const search = {
  search: text(),
  status: oneOf(['all', 'active', 'suspended'], 'all'),
  kinds: someOf(['mail', 'note']),
  least: whole(),
  sort: oneOf(['site_name', '-site_name'], 'site_name'),
  open: text('', { keepsPage: true }),
  tab: oneOf(['overview', 'history'], 'overview', { keepsPage: true }),
}
const filters = ['search', 'status', 'kinds', 'least'] as const
const list = defineList({
  search,
  filters,
  details: ['tab'],
  sizes: [10, 25],
  initialSize: 25,
  query: (page, state) => {
    const { status } = chosenOf(search, state, ['status'])
    return q(sites.listSites, { query: { ...page, status, sort: state.sort } })
  },
  rows: (answer) => answer.sites,
  path: '/admin/sites',
})
const stateOf = (address: string) => readState(search, new URLSearchParams(address))

test('sends of the filters what is not at its default', () => {
  expect(chosenOf(search, stateOf(''), filters)).toEqual({})
  expect(chosenOf(search, stateOf('status=active&kinds=note&least=0&search=x'), filters)).toEqual({
    status: 'active',
    kinds: ['note'],
    least: 0,
    search: 'x',
  })
})

test('clears all filters and nothing else', () => {
  expect(list.noFilters).toEqual({ search: '', status: 'all', kinds: [], least: null })
})

test('a row opens with its details at their start', () => {
  expect(list.detailsOf('s1')).toEqual({ open: 's1', tab: 'overview' })
  expect(list.detailsOf('')).toEqual({ open: '', tab: 'overview' })
})

test('names the filters that are on, in the order of their words', () => {
  const words = { least: (least: number) => `At least ${least}`, status: (status: string) => `Status: ${status}` }
  expect(chipsOf(search, stateOf('status=suspended&least=5&search=x'), words)).toEqual([
    { label: 'At least 5', without: { least: null } },
    { label: 'Status: suspended', without: { status: 'all' } },
  ])
  expect(chipsOf(search, stateOf('status=bogus'), words)).toEqual([])
})

test('asks first what the screen will ask, and nothing for another address of its page', () => {
  const params = new URLSearchParams('status=active&after=s9&size=10')
  expect(list.queriesFor(params, '/admin/sites').map(({ queryKey }) => queryKey)).toEqual([
    [
      sites.listSites.path,
      { query: { limit: 10, starting_after: 's9', ending_before: undefined, status: 'active', sort: 'site_name' } },
    ],
  ])
  expect(list.queriesFor(params, '/admin/sites/new')).toEqual([])
})
