import { formatCount } from '../lib/format.ts'
import { useMayOpen } from '../lib/screen-access.ts'
import css from './TabLinks.module.css'
import { useCurrentInSight } from './use-current-in-sight.ts'

export type TabLink = { href: string; label: string; count?: number | null }

type Props = { label: string; tabs: readonly TabLink[]; current: string }

/** Tabs of a screen, each with its own URL; those that lead where somebody may not go are not there. */
export function TabLinks({ label, tabs, current }: Props) {
  // Counts come later than the tabs.
  const counted = tabs.filter(({ count }) => count != null).map(({ href }) => href)
  const row = useCurrentInSight(current, counted.join())
  const mayOpen = useMayOpen()
  return (
    <nav ref={row} aria-label={label} className={css['tabs']}>
      {tabs
        .filter(({ href }) => href === current || mayOpen(href))
        .map((tab) => (
          <a
            key={tab.href}
            href={tab.href}
            className={css['tab']}
            aria-current={tab.href === current ? 'page' : undefined}
          >
            {tab.label}
            {tab.count == null ? null : <span className={css['count']}>{formatCount(tab.count)}</span>}
          </a>
        ))}
    </nav>
  )
}
