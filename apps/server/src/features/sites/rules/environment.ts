export type Variables = Readonly<Record<string, string>>

export type Difference = { added: string[]; removed: string[]; changed: string[] }

const sorted = (names: string[]): string[] => names.sort((a, b) => (a < b ? -1 : 1))

/** What differs, by names: the values are nobody's to see. */
export function differenceOf(before: Variables, after: Variables): Difference {
  return {
    added: sorted(Object.keys(after).filter((name) => !Object.hasOwn(before, name))),
    removed: sorted(Object.keys(before).filter((name) => !Object.hasOwn(after, name))),
    changed: sorted(Object.keys(after).filter((name) => Object.hasOwn(before, name) && before[name] !== after[name])),
  }
}

export const isSame = ({ added, removed, changed }: Difference): boolean =>
  added.length + removed.length + changed.length === 0

/** Names are anybody's: one called __proto__ is a name like any other. */
export function changedBy(before: Variables, set: Variables, remove: readonly string[]): Variables {
  const kept = new Map(Object.entries(before))
  for (const name of remove) kept.delete(name)
  for (const [name, value] of Object.entries(set)) kept.set(name, value)
  return Object.fromEntries(kept)
}
