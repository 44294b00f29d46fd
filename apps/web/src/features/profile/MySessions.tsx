import * as auth from '@agency/contract/descriptors/auth'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { call, q, type ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { endedText } from './ended-text.ts'
import css from './profile.module.css'

const PasswordDialog = lazy(() => import('./PasswordDialog.tsx').then((m) => ({ default: m.PasswordDialog })))

type Session = ResponseOf<typeof auth.listMySessions>['sessions'][number]

/** Where else one is signed in, and the way to end it. */
export function MySessions() {
  const list = useQuery(q(auth.listMySessions, {}))
  const client = useQueryClient()
  const toast = useToast()
  const [ending, setEnding] = useState<Session | 'others'>()
  const sessions = list.data?.sessions
  const others = sessions?.filter((session) => !session.is_mine).length ?? 0

  const handleEnd = async (password: string) => {
    const id = ending === 'others' ? undefined : ending?.id
    const { ended } = await call(auth.endMySessions, { body: { password, id } })
    setEnding(undefined)
    toast.success(endedText(ended))
    await client.invalidateQueries({ queryKey: [auth.listMySessions.path] })
  }

  return (
    <Panel
      title="Your sessions"
      loading={list.isPending}
      skeleton={<SkeletonLines count={2} height={52} />}
      asOf={sessions ? list.dataUpdatedAt : null}
      error={list.error}
      onRetry={() => void list.refetch()}
      actions={
        others > 0 ? (
          <Button size="small" variant="outlined" onClick={() => setEnding('others')}>
            Sign out the others
          </Button>
        ) : undefined
      }
    >
      <ul className={css['sessions']}>
        {sessions?.map((session) => (
          <SessionLine key={session.id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {ending ? (
        <Suspense>
          <PasswordDialog
            title={ending === 'others' ? 'Sign out the others' : 'End session'}
            intro={
              ending === 'others'
                ? `${formatCount(others)} other ${others === 1 ? 'session ends' : 'sessions end'} at once; this one stays.`
                : `The session on ${ending.device} ends at once.`
            }
            submitLabel={ending === 'others' ? 'Sign out the others' : 'End session'}
            onSubmit={handleEnd}
            onClose={() => setEnding(undefined)}
          />
        </Suspense>
      ) : null}
    </Panel>
  )
}

function SessionLine({ session, onEnd }: { session: Session; onEnd: () => void }) {
  return (
    <li className={css['session']}>
      <div>
        <p>
          {session.device} {session.is_mine ? <StatusChip tone="info" label="This session" /> : null}
        </p>
        <p className={css['muted']}>
          {session.address ?? 'Unknown address'} · active <DateTime at={session.last_activity_at} show="relative" /> ·
          since <DateTime at={session.created_at} show="date-time" />
        </p>
      </div>
      {session.is_mine ? null : (
        <Button size="small" onClick={onEnd} aria-label={`End session on ${session.device}`}>
          End
        </Button>
      )}
    </li>
  )
}
