import type { Permission } from '@agency/contract/types'
import { isGroup, navigationOf } from '../navigation.ts'
import type { Item } from './items.ts'
import { best } from './rank.ts'

const screensOf = (held: readonly Permission[]) =>
  navigationOf(held).flatMap((entry) =>
    isGroup(entry)
      ? entry.items.map(({ label, path }) => ({ title: label, words: entry.label, path }))
      : [{ title: entry.label, words: '', path: entry.path }],
  )

/** The screens of somebody's navigation that fit, all of them for an empty term. */
export function screenItems(term: string, held: readonly Permission[]): Item[] {
  return best(screensOf(held), term).map(({ title, words, path, place }) => {
    const key = `screen:${path}`
    return { key, title, detail: words || undefined, href: path, place, recent: { key } }
  })
}
