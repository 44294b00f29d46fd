import { useEffect } from 'react'

export type TabProps = {
  /** The tab's own rows have come, or could not be had. */
  onSettled: (failed: boolean) => void
}

type Query = { isPending: boolean; isError: boolean }

export function useSettled({ isPending, isError }: Query, onSettled: (failed: boolean) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: told of a change, not for every new callback
  useEffect(() => {
    if (!isPending) onSettled(isError)
  }, [isPending, isError])
}
