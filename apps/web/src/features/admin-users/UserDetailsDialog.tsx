import type { AdminUser } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isNotFound } from '../../lib/not-found.ts'
import { useSessionState } from '../../lib/session.ts'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { EffectivePermissions } from './EffectivePermissions.tsx'
import { UserActivity } from './UserActivity.tsx'
import { UserOverview } from './UserOverview.tsx'
import { UserSessions } from './UserSessions.tsx'
import { type UserAct, userActions } from './user-actions.ts'
import { Marks } from './user-columns.tsx'
import { marksOf } from './user-state.ts'
import { type UserDetails, userDetails } from './users-list.ts'
import type { UsersSearch } from './users-search.ts'

type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: AdminUser | undefined
  view: UsersSearch['view']
  onView: (view: UsersSearch['view']) => void
  onAct: (act: UserAct) => void
  onClose: () => void
}

export function UserDetailsDialog({ id, listed, view, onView, onAct, onClose }: Props) {
  const details = useQuery(userDetails(id))
  const user = details.data?.user ?? listed
  if (isNotFound(details.error)) return <DetailsDialog {...notFound('User')} onClose={onClose} />
  const loaded = (content: (all: UserDetails) => ReactNode) => (
    <>
      <ListFailure
        error={details.error}
        what="the user"
        at={details.data ? details.dataUpdatedAt : null}
        onRetry={() => void details.refetch()}
      />
      {details.data ? content(details.data) : details.error ? null : <SkeletonLines count={6} />}
    </>
  )
  return (
    <DetailsDialog
      title={user?.name ?? 'User'}
      marks={user ? <Marks marks={marksOf(user)} /> : null}
      subtitle={user ? <bdi>{user.email}</bdi> : null}
      tab={view}
      onTab={(next) => onView(next as UsersSearch['view'])}
      onClose={onClose}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          content: loaded((all) => <UserOverview user={all.user} onAct={onAct} />),
        },
        {
          id: 'permissions',
          label: 'Permissions',
          content: loaded((all) => <EffectivePermissions details={all} />),
        },
        { id: 'sessions', label: 'Sessions', content: loaded((all) => <UserSessions sessions={all.sessions} />) },
        { id: 'activity', label: 'Activity', content: <UserActivity userId={id} /> },
      ]}
      actions={user ? <FootActions user={user} onAct={onAct} /> : undefined}
    />
  )
}

/** The two acts that one comes here for; all others are in the row's menu. */
function FootActions({ user, onAct }: { user: AdminUser; onAct: (act: UserAct) => void }) {
  const self = useSessionState().user?.id ?? null
  const wanted = ['Reset Password', 'Edit User']
  const actions = userActions(user, { href: '', self, onAct })
  return wanted.map((label) => {
    const action = actions.find((each) => each.label === label)
    return action ? (
      <ReasonedButton key={label} variant="outlined" blocked={action.disabledReason} onClick={action.onSelect}>
        {label}
      </ReasonedButton>
    ) : null
  })
}
