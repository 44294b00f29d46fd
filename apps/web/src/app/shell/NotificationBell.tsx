import * as notifications from '@agency/contract/descriptors/notifications'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Popup } from '../../ui/Popup.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { useLive } from '../LiveProvider.tsx'
import { NotificationList } from './NotificationList.tsx'
import css from './top-bar.module.css'

const PushDialog = lazy(() =>
  import('../../features/notifications/PushDialog.tsx').then((module) => ({ default: module.PushDialog })),
)

const pollMs = 60_000

export function NotificationBell() {
  const { calm, state } = useLive()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [isPushOpen, setPushOpen] = useState(false)
  const query = useQuery({
    ...q(notifications.listNotifications, {}),
    enabled: calm,
    // The stream tells of new ones; without it they are asked for.
    refetchInterval: state === 'open' ? false : pollMs,
  })
  const unread = query.data?.unread_count ?? 0
  return (
    <>
      <span className={css['bell']}>
        <IconButton
          label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
          opens="dialog"
          expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Icon name="bell" size={24} />
        </IconButton>
        {unread > 0 ? (
          <span className={css['badge']} aria-hidden="true">
            {unread > 99 ? '99+' : unread}
          </span>
        ) : null}
      </span>
      {anchor ? (
        <Popup anchor={anchor} label="Notifications" onClose={() => setAnchor(null)}>
          <SectionBoundary onRetry={() => void query.refetch()}>
            <NotificationList
              data={query.data}
              error={query.error}
              onRetry={() => void query.refetch()}
              onPush={() => {
                setAnchor(null)
                setPushOpen(true)
              }}
              onClose={() => setAnchor(null)}
            />
          </SectionBoundary>
        </Popup>
      ) : null}
      <Suspense>{isPushOpen ? <PushDialog onClose={() => setPushOpen(false)} /> : null}</Suspense>
    </>
  )
}
