import type { Permission, SessionState } from '@agency/contract/types'
import { load, type RecentChoice, save } from '../../lib/storage.ts'
import { actionItems } from './actions.ts'
import { keptItem } from './hit-items.ts'
import type { Item } from './items.ts'
import { screenItems } from './screen-items.ts'

const most = 5

type Actor = SessionState['actor']

/** Names of customers are for whoever found them: another person of the same browser starts anew. */
function choicesOf(actor: Actor): readonly RecentChoice[] {
  const kept = load('recentChoices')
  return kept?.actor === actor.id && Array.isArray(kept.choices) ? kept.choices : []
}

export function remember(actor: Actor, choice: RecentChoice): void {
  const others = choicesOf(actor).filter(({ key }) => key !== choice.key)
  save('recentChoices', { actor: actor.id, choices: [choice, ...others].slice(0, most) })
}

/** What was chosen last and may still be chosen, the newest first. */
export function recentItems(actor: Actor): Item[] {
  const held = actor.permissions
  const known = new Map(ownItems(held).map((item) => [item.key, item]))
  return choicesOf(actor).flatMap(({ key, hit }) => {
    const item = hit ? keptItem(key, hit, held) : known.get(key)
    // The same thing stands in its own group too.
    return item ? [{ ...item, key: `recent:${key}` }] : []
  })
}

const ownItems = (held: readonly Permission[]): Item[] => [...screenItems('', held), ...actionItems('', held)]
