import { useEffect, useRef } from 'react'

/**
 * On phones a row of tabs is longer than the screen: the one that is open must be in sight, also when a link opened it, and
 * when what stands before it has become wider: then only the row moves, not the page. `shape` tells of that.
 */
export function useCurrentInSight(current: string, shape = '') {
  const row = useRef<HTMLElement>(null)
  const currentTab = () => row.current?.querySelector('[aria-current]')
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    currentTab()?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: something has become wider
  useEffect(() => {
    const tab = currentTab()
    if (!row.current || !tab) return
    const [seen, wanted] = [row.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (wanted.right > seen.right) row.current.scrollLeft += wanted.right - seen.right
  }, [shape])
  return row
}
