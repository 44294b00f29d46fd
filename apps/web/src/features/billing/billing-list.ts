import { useEffect } from 'react'

export type TabProps = {
  /** The tab's own rows have come, or could not be had. */
  onSettled: () => void
}

export const pageSizes = [10, 25, 50]

export function useSettled(settled: boolean, onSettled: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, not for every new callback
  useEffect(() => {
    if (settled) onSettled()
  }, [settled])
}
