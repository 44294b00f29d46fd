import * as notifications from '@agency/contract/descriptors/notifications'
import type { Notification } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import css from './top-bar.module.css'

type Props = {
  data: ResponseOf<typeof notifications.listNotifications> | undefined
  error: Error | null
  onRetry: () => void
  /** Opens what is said about notifications of the browser. */
  onPush: () => void
  onClose: () => void
}

export function NotificationList({ data, error, onRetry, onPush, onClose }: Props) {
  const { mark, isPending } = useMarkRead()
  return (
    <>
      <div className={css['head']}>
        Notifications
        {data && data.unread_count > 0 ? (
          <Button size="small" onClick={() => mark()} disabled={isPending}>
            Mark all as read
          </Button>
        ) : null}
      </div>
      {data ? (
        <ul className={css['list']}>
          {data.notifications.map((notification) => (
            <li key={notification.id}>
              <Entry notification={notification} onClose={onClose} />
            </li>
          ))}
        </ul>
      ) : error ? (
        <SectionError error={error} onRetry={onRetry} />
      ) : (
        <div className={css['part']}>
          <SkeletonLines count={4} />
        </div>
      )}
      {data?.notifications.length === 0 ? (
        <EmptyState compact title="No notifications" text="Events that need attention appear here." />
      ) : null}
      <div className={css['foot']}>
        <Button size="small" onClick={onPush}>
          Browser notifications
        </Button>
      </div>
    </>
  )
}

function useMarkRead() {
  const { mutate, isPending } = useCall(notifications.markNotificationsRead, [notifications.listNotifications])
  const mark = (ids?: string[]) => mutate({ body: ids ? { ids } : {} }, { failure: 'Could not mark as read.' })
  return { mark, isPending }
}

function Entry({ notification, onClose }: { notification: Notification; onClose: () => void }) {
  const { id, read, severity, title, body, created_at, link } = notification
  const { mark } = useMarkRead()
  const handleSelect = () => {
    if (!read) mark([id])
    if (link) onClose()
  }
  const words = (
    <>
      <span className={css['dot']} data-tone={severity} data-read={read} />
      <span className={css['words']}>
        <span className={read ? undefined : css['unread']}>{title}</span>
        {body ? <span className={css['body']}>{body}</span> : null}
        <span className={css['muted']}>
          {read ? '' : 'Unread · '}
          <DateTime at={created_at} show="relative" />
        </span>
      </span>
    </>
  )
  // Only paths of the console: the text of a notification may come from outside.
  return link?.startsWith('/admin') ? (
    <a className={css['notice']} href={link} onClick={handleSelect}>
      {words}
    </a>
  ) : (
    <button type="button" className={css['notice']} onClick={handleSelect}>
      {words}
    </button>
  )
}
