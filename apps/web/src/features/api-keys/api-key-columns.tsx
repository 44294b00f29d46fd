import type { ApiKey } from '@agency/contract/types'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { scopeName, stateChips } from './api-key-words.ts'
import css from './api-keys.module.css'

const shownPermissions = 2

export const apiKeyColumns: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    share: '60%',
    cell: (key) => <bdi>{key.name}</bdi>,
    text: (key) => key.name,
  },
  {
    id: 'prefix',
    header: 'Key prefix',
    cell: (key) => <code className={css['code']}>{key.key_prefix}</code>,
  },
  {
    id: 'permissions',
    header: 'Permissions',
    share: '40%',
    cell: (key) => <Permissions apiKey={key} />,
    text: (key) => key.permissions.join(', '),
  },
  {
    id: 'last-used',
    header: 'Last used',
    align: 'right',
    onCard: true,
    cell: (key) => <DateTime at={key.last_used} show="relative" />,
  },
  { id: 'expires', header: 'Expires', align: 'right', onCard: true, cell: (key) => <DateTime at={key.expires_at} /> },
  { id: 'status', header: 'Status', onCard: true, cell: (key) => <KeyChips apiKey={key} /> },
]

function Permissions({ apiKey: { permissions } }: { apiKey: ApiKey }) {
  const more = permissions.length - shownPermissions
  return (
    <>
      {permissions.slice(0, shownPermissions).map(scopeName).join(', ')}
      {more > 0 ? <span className={css['muted']}> +{more} more</span> : null}
    </>
  )
}

export function KeyChips({ apiKey }: { apiKey: ApiKey }) {
  const why = stateChips[apiKey.state]
  return (
    <span className={css['chips']}>
      <StatusChip tone={apiKey.is_active ? 'success' : 'neutral'} label={apiKey.is_active ? 'Active' : 'Inactive'} />
      {why ? <StatusChip {...why} /> : null}
    </span>
  )
}
