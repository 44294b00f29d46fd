import * as apiKeys from '@agency/contract/descriptors/api-keys'
import type { ApiKey } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { chipsOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

const apiKeySearch = {
  search: text(),
  status: oneOf(['all', 'active', 'inactive'], 'all'),
  open: text('', { keepsPage: true }),
}
type ApiKeySearch = StateOf<typeof apiKeySearch>

export const statusChoices: readonly { value: ApiKeySearch['status']; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
]

/** The server answers every key at once, so that they are narrowed here. */
function matching(keys: readonly ApiKey[], { search, status }: ApiKeySearch): readonly ApiKey[] {
  const wanted = search.toLowerCase()
  return keys.filter(
    (key) =>
      (status === 'all' || key.is_active === (status === 'active')) &&
      [key.name, key.key_prefix, key.created_by].some((text) => text.toLowerCase().includes(wanted)),
  )
}

export const apiKeysList = defineList({
  search: apiKeySearch,
  filters: ['search', 'status'],
  sizes: [],
  initialSize: 100,
  query: () => q(apiKeys.listApiKeys, {}),
  rows: (answer) => answer.keys,
  narrow: matching,
})

export const apiKeyChips = (state: ApiKeySearch) =>
  chipsOf(apiKeySearch, state, { status: (status) => `Status: ${status}` })
