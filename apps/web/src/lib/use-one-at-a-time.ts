import { useState } from 'react'

/**
 * Runs what it is given, unless it is still at what it was given before: the second half of a double click comes before
 * the first one shows as pending.
 */
export const useOneAtATime = () => useState(oneAtATime)[0]

function oneAtATime() {
  let isBusy = false
  return async (act: () => Promise<unknown>): Promise<void> => {
    if (isBusy) return
    isBusy = true
    try {
      await act()
    } finally {
      isBusy = false
    }
  }
}
