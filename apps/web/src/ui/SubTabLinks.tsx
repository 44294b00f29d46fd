import { formatCount } from '../lib/format.ts'
import css from './SubTabLinks.module.css'
import type { TabLink } from './TabLinks.tsx'
import { useCurrentInSight } from './use-current-in-sight.ts'

type Props = { label: string; tabs: readonly TabLink[]; current: string }

/** Parts of a tab, each with its own URL. */
export function SubTabLinks({ label, tabs, current }: Props) {
  const row = useCurrentInSight(current)
  return (
    <nav ref={row} aria-label={label} className={css['tabs']}>
      {tabs.map((tab) => (
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
