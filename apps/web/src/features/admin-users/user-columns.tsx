import type { AdminUser } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './admin-users.module.css'
import { type Mark, marksOf, secondFactorMark } from './user-state.ts'

export const userColumns: readonly Column<AdminUser>[] = [
  {
    id: 'user',
    header: 'User',
    sort: 'name',
    share: '100%',
    cell: (user) => <Person name={user.name} detail={user.email} />,
  },
  {
    id: 'role',
    header: 'Role',
    onCard: true,
    cell: (user) => <bdi>{user.role_name}</bdi>,
    text: (user) => user.role_name,
  },
  { id: 'status', header: 'Status', onCard: true, cell: (user) => <Marks marks={marksOf(user)} /> },
  {
    id: 'second-factor',
    header: 'Two-Step Verification',
    cell: (user) => <Marks marks={[secondFactorMark(user)]} />,
  },
  {
    id: 'last-login',
    header: 'Last Login',
    align: 'right',
    sort: 'last_login_at',
    sortFirst: 'descending',
    onCard: true,
    cell: (user) => <DateTime at={user.last_login_at} show="relative" />,
  },
  {
    id: 'logins',
    header: 'Logins',
    align: 'right',
    cell: (user) => formatCount(user.login_count),
  },
  {
    id: 'created',
    header: 'Created',
    align: 'right',
    sort: 'created_at',
    sortFirst: 'descending',
    cell: (user) => <DateTime at={user.created_at} />,
  },
]

export function Marks({ marks }: { marks: readonly Mark[] }) {
  return (
    <span className={css['chips']}>
      {marks.map((mark) => (
        <StatusChip key={mark.label} {...mark} />
      ))}
    </span>
  )
}
