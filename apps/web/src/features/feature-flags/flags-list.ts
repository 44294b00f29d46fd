import * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { defineList } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'

export const flagReads = [featureFlags.listFeatureFlags, featureFlags.listFlagHistory, featureFlags.listFlagViewers]

const flagSearch = {
  search: text(),
  show: oneOf(['current', 'on', 'off', 'stale', 'archived'], 'current'),
  open: text('', { keepsPage: true }),
}
type FlagSearch = StateOf<typeof flagSearch>

export const showChoices: readonly { value: FlagSearch['show']; label: string }[] = [
  { value: 'current', label: 'All' },
  { value: 'on', label: 'On' },
  { value: 'off', label: 'Off' },
  { value: 'stale', label: 'Stale' },
  { value: 'archived', label: 'Archived' },
]

const isShown: Record<FlagSearch['show'], (flag: FeatureFlag) => boolean> = {
  current: ({ stage }) => stage !== 'archived',
  on: ({ stage }) => stage === 'rollout' || stage === 'everyone',
  off: ({ stage }) => stage === 'off' || stage === 'new',
  stale: ({ stale }) => stale !== null,
  archived: ({ stage }) => stage === 'archived',
}

/** The server answers every flag at once, so that they are narrowed here. One that a link opens is shown in any case. */
function matching(flags: readonly FeatureFlag[], { search, show, open }: FlagSearch): readonly FeatureFlag[] {
  const wanted = search.toLowerCase()
  return flags.filter(
    (flag) =>
      flag.id === open ||
      (isShown[show](flag) &&
        [flag.name, flag.description, flag.owner?.name ?? ''].some((words) => words.toLowerCase().includes(wanted))),
  )
}

export const flagsList = defineList({
  search: flagSearch,
  filters: ['search', 'show'],
  sizes: [],
  initialSize: 100,
  query: () => q(featureFlags.listFeatureFlags, {}),
  rows: ({ flags }) => flags,
  narrow: matching,
})
