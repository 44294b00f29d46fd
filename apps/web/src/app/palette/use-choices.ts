import type { Hit } from '@agency/contract/types'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useSessionState } from '../../lib/session.ts'
import { actionItems } from './actions.ts'
import { type Asked, commandItems } from './commands.ts'
import { hitGroups } from './hit-items.ts'
import type { Group, Item } from './items.ts'
import { pageItems } from './page-actions.ts'
import { recentItems } from './recent.ts'
import { screenItems } from './screen-items.ts'
import type { Search } from './use-search.ts'

/** Everything that may be chosen for a term, in the order in which it is shown. */
export function useChoices(term: string, { answer }: Search, asked: Asked | undefined): Group[] {
  const { actor } = useSessionState()
  const held = actor.permissions
  const place = useLocation()
  const [recent] = useState(() => recentItems(actor))
  const own = [
    { label: 'Recent', items: term === '' ? recent : [] },
    { label: 'On this page', items: pageItems(term, place, held) },
    { label: 'Screens', items: screenItems(term, held) },
    { label: 'Actions', items: actionItems(term, held) },
  ].filter(({ items }) => items.length > 0)
  if (!answer) return own
  if (asked) return [...commandGroup(asked, answer.hits), ...own]
  const found = hitGroups(answer, term)
  // An object that was named by its very id is what was meant.
  return answer.exact ? [...found, ...own] : byPlace([...own, ...found])
}

function commandGroup(asked: Asked, hits: readonly Hit[]): Group[] {
  const items = commandItems(asked, hits)
  return items.length > 0 ? [{ label: 'Commands', isFromServer: true, items }] : []
}

/** The groups whose best fits best come first; of equals, what was first before. */
function byPlace(groups: readonly Group[]): Group[] {
  const placeOf = ({ items }: Group) => Math.min(...items.map(({ place = 0 }) => place))
  return [...groups].sort((a, b) => placeOf(a) - placeOf(b))
}

/** The option that the keys point at: the one that was pointed at last, else the first. */
export function activeOf(items: readonly Item[], pointed: string | undefined): Item | undefined {
  return items.find(({ key }) => key === pointed) ?? items[0]
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
