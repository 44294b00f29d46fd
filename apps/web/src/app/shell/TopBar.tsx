import { useLocation } from 'react-router'
import { useSessionState } from '../../lib/session.ts'
import type { Tone } from '../../theme/palette.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { currentEntry } from '../navigation.ts'
import { Palette } from '../palette/Palette.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { HealthChip } from './HealthChip.tsx'
import { NotificationBell } from './NotificationBell.tsx'
import css from './shell.module.css'

type Props = { onMenu: () => void }

const modes: Record<'demo' | 'test' | 'live', { label: string; tone: Tone; title: string }> = {
  demo: { label: 'Demo', tone: 'info', title: 'Demo: simulated Stripe and Cloudflare, no real money' },
  test: { label: 'Test', tone: 'warning', title: "Test: Stripe's test mode, no real money" },
  live: { label: 'Live', tone: 'success', title: 'Live: real customers and real money' },
}

export function TopBar({ onMenu }: Props) {
  const { mode } = useSessionState()
  return (
    <header className={css['bar']}>
      <span className={css['burger']}>
        <IconButton label="Open navigation" onClick={onMenu}>
          <Icon name="menu" size={24} />
        </IconButton>
      </span>
      <Trail />
      <Palette />
      <StatusChip {...modes[mode]} />
      <HealthChip />
      <NotificationBell />
      <AccountMenu />
    </header>
  )
}

/** Where the screen stands in the navigation; of a screen without an entry, with the way back to the one that leads to it. */
function Trail() {
  const { pathname, search } = useLocation()
  const current = currentEntry(pathname, search)
  if (!current) return <div className={css['title']}>Agency Console</div>
  const { item, group } = current
  return (
    <nav aria-label="Breadcrumb" className={css['title']}>
      {group ? (
        <>
          <span className={css['group']}>{group.label}</span>{' '}
          <span className={css['slash']} aria-hidden="true">
            /
          </span>{' '}
        </>
      ) : null}
      {item.path === pathname ? <span aria-current="page">{item.label}</span> : <a href={item.path}>{item.label}</a>}
    </nav>
  )
}
