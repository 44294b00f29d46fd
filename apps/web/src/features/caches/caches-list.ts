import * as caches from '@agency/contract/descriptors/caches'
import type { CacheState } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { paths } from '../../lib/paths.ts'
import { oneOf, type StateOf } from '../../lib/search-state.ts'
import { cacheNames } from './cache-words.ts'

const search = { cache: oneOf(['all', ...cacheNames], 'all') }
export type CacheSearch = StateOf<typeof search>

const ofName = (rows: readonly CacheState[], { cache }: CacheSearch): readonly CacheState[] =>
  cache === 'all' ? rows : rows.filter(({ name }) => name === cache)

export const cachesList = defineList({
  search,
  filters: ['cache'],
  sizes: [],
  initialSize: 100,
  query: () => q(caches.getCaches, {}),
  rows: (answer) => answer.caches,
  narrow: ofName,
  path: paths.cache,
})

export const cacheReads = [caches.getCaches]
