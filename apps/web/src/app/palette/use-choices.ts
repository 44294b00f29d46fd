import { useState } from 'react'
import { useSessionState } from '../../lib/session.ts'
import { actionItems } from './actions.ts'
import { hitGroups } from './hit-items.ts'
import type { Group, Item } from './items.ts'
import { recentItems } from './recent.ts'
import { screenItems } from './screen-items.ts'
import type { Search } from './use-search.ts'

/** Everything that may be chosen for a term, in the order in which it is shown. */
export function useChoices(term: string, { answer }: Search): Group[] {
  const { actor } = useSessionState()
  const [recent] = useState(() => recentItems(actor))
  const own = [
    { label: 'Recent', items: term === '' ? recent : [] },
    { label: 'Screens', items: screenItems(term, actor.permissions) },
    { label: 'Actions', items: actionItems(term, actor.permissions) },
  ].filter(({ items }) => items.length > 0)
  const found = answer ? hitGroups(answer) : []
  // An object that was named by its very id is what was meant.
  return answer?.exact ? [...found, ...own] : [...own, ...found]
}

/** The option that the keys point at: the one that was pointed at last, else the first that can be chosen. */
export function activeOf(items: readonly Item[], pointed: string | undefined): Item | undefined {
  return items.find(({ key }) => key === pointed) ?? items.find(({ denial }) => !denial)
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at <= 0 ? count : at) - 1,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** Where a key leads from the active option; undefined for keys that do not move. */
export function stepTo(key: string, items: readonly Item[], active: Item | undefined): Item | undefined {
  const step = steps[key]
  return step && items.length > 0 ? items[step(active ? items.indexOf(active) : -1, items.length)] : undefined
}
