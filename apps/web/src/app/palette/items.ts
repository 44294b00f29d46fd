import type { RecentChoice } from '../../lib/storage.ts'
import type { Tone } from '../../theme/palette.ts'
import type { Tools } from './tools.ts'

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
  /** Where it leads, or what it does. */
  href?: string
  run?: (tools: Tools) => unknown
  /** How well it fits what was typed, smaller is better. */
  place?: number
  /** What is kept of it once it was chosen, if it stands for itself. */
  recent?: RecentChoice
}

export type Group = { label: string; items: readonly Item[]; isFromServer?: boolean }

export const optionId = (listId: string, { key }: Item): string => `${listId}-${key}`
