import { useEffect, useRef } from 'react'

/** On phones a row of tabs is longer than the screen: the one that is open must be in sight, also when a link opened it. */
export function useCurrentInSight(current: string) {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    const tab = row.current?.querySelector('[aria-current]')
    tab?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return row
}
