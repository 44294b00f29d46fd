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
  demo: { label: 'Demo', tone: 'info', title: 'Demo: the sandbox plays the providers; no real money moves' },
  test: { label: 'Test', tone: 'warning', title: "Test: Stripe's test mode; no real money moves" },
  live: { label: 'Live', tone: 'success', title: 'Live: real customers and real money' },
}

export function TopBar({ onMenu }: Props) {
  const { mode } = useSessionState()
  const group = currentEntry(useLocation().pathname)?.group
  return (
    <header className={css['bar']}>
      <span className={css['burger']}>
        <IconButton label="Open navigation" onClick={onMenu}>
          <Icon name="menu" size={24} />
        </IconButton>
      </span>
      <div className={css['title']}>{group?.label ?? 'Agency Console'}</div>
      <Palette />
      <StatusChip {...modes[mode]} />
      <HealthChip />
      <NotificationBell />
      <AccountMenu />
    </header>
  )
}
