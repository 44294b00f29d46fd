import type { PurchaseReset, RefusedSite } from '@agency/contract/types'

/** What the page says above its lists. `count` tells two of the same words apart. */
export type Outcome = {
  count: number
  tone: 'success' | 'warning' | 'error'
  text: string
  refused: readonly RefusedSite[]
  /** What the notice offers to undo. */
  undo: PurchaseReset | null
}

type Told = Omit<Outcome, 'count'>

export const nothingSelected: Told = {
  tone: 'warning',
  text: 'Please select at least one site to reset.',
  refused: [],
  undo: null,
}

export const resetDone = (reset: PurchaseReset): Told => ({
  tone: 'success',
  text: 'Purchase status reset successfully!',
  refused: [],
  undo: reset,
})

export function bulkOutcome(resets: readonly PurchaseReset[], refused: readonly RefusedSite[]): Told {
  if (resets.length === 0) return { tone: 'error', text: 'Failed to perform bulk reset.', refused, undo: null }
  return { tone: 'success', text: `Successfully reset ${resets.length} site(s)!`, refused, undo: null }
}

export const undone = ({ siteName }: PurchaseReset): Told => ({
  tone: 'success',
  text: `Undid the reset of ${siteName}.`,
  refused: [],
  undo: null,
})
