import type { Kind } from '../stripe/types.ts'
import { present } from '../world/present.ts'
import type { Entry } from '../world/world.ts'

export type Node = Record<string, unknown>

/** An object as an answer shows it; of a deleted one only the mark is left. */
export function shownEntry(entry: Entry): Node {
  if (entry.deleted) return { id: entry.id, object: entry.kind, deleted: true }
  return present(entry.kind as Kind, entry.doc)
}
