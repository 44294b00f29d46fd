import type { RecentChoice } from '../../lib/storage.ts'
import type { Tone } from '../../theme/palette.ts'

/** Something that can be chosen in the palette. */
export type Item = {
  /** Unique among all that there is to choose. */
  key: string
  title: string
  detail?: string | undefined
  /** An id whose characters matter. */
  code?: string | undefined
  chips?: readonly { label: string; tone: Tone }[]
  money?: { amount: number; currency: string }
  at?: string
  /** Where it leads, or the action that it is. */
  href?: string
  action?: string
  /** Why it cannot be chosen. */
  denial?: string | undefined
  /** What is kept of it once it was chosen. */
  recent: RecentChoice
}

export type Group = { label: string; items: readonly Item[]; isFromServer?: boolean }

export const optionId = (listId: string, { key }: Item): string => `${listId}-${key}`
