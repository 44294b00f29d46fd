import { useEffect, useRef } from 'react'

/**
 * On phones a row of tabs is longer than the screen: the one that is open must be in sight, also when a link opened it, and
 * when what stands before it has become wider; `shape` tells of that. Only the row moves: it may stand far down a page.
 */
export function useCurrentInSight(current: string, shape = '') {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open, or something has become wider
  useEffect(() => {
    const tab = row.current?.querySelector('[aria-current]')
    if (!row.current || !tab) return
    const [seen, wanted] = [row.current.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (wanted.right > seen.right) row.current.scrollLeft += wanted.right - seen.right
    else if (wanted.left < seen.left) row.current.scrollLeft -= seen.left - wanted.left
  }, [current, shape])
  return row
}
