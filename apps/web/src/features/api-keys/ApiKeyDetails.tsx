import type { ApiKey } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import type { Act } from './ApiKeyDialogs.tsx'
import { KeyChips } from './api-key-columns.tsx'
import { rollBlock, scopeName } from './api-key-words.ts'
import css from './api-keys.module.css'

type Props = { apiKey: ApiKey; onAct: (act: Act) => void; onClose: () => void }

export function ApiKeyDetails({ apiKey: key, onAct, onClose }: Props) {
  // A key that is not active can do nothing at all, whoever made it.
  const lost = key.is_active
    ? key.permissions.filter((permission) => !key.effective_permissions.includes(permission))
    : []
  const revoked = key.state === 'revoked' ? 'Already revoked' : undefined
  return (
    <DetailsDialog
      title={key.name}
      marks={<KeyChips apiKey={key} />}
      subtitle={<code className={css['code']}>{key.key_prefix}…</code>}
      onClose={onClose}
      actions={
        <>
          <ReasonedButton blocked={rollBlock(key)} onClick={() => onAct({ kind: 'roll', key })}>
            Rotate
          </ReasonedButton>
          <ReasonedButton color="error" blocked={revoked} onClick={() => onAct({ kind: 'revoke', key })}>
            Revoke
          </ReasonedButton>
        </>
      }
    >
      <Facts
        facts={[
          {
            label: 'Permissions',
            value: key.permissions.map((scope) => `${scopeName(scope)} (${scope})`).join(', '),
            wide: true,
          },
          { label: 'Last used', value: <DateTime at={key.last_used} show="date-time" /> },
          { label: 'Calls so far', value: formatCount(key.use_count) },
          { label: 'Last used from', value: key.last_used_address },
          { label: 'Last call', value: key.last_used_endpoint },
          { label: 'Expires', value: <DateTime at={key.expires_at} show="date-time" /> },
          { label: 'Calls per minute', value: formatCount(key.rate_limit_per_minute) },
          ...(key.allowed_origins.length > 0
            ? [{ label: 'Allowed origins', value: key.allowed_origins.join(', '), wide: true }]
            : []),
          { label: 'Created by', value: <bdi>{key.created_by}</bdi> },
          { label: 'Created', value: <DateTime at={key.created_at} show="date-time" /> },
          { label: 'Key ID', value: null, id: key.id },
        ]}
      />
      {lost.length > 0 ? (
        <p className={css['remark']}>
          {key.created_by} lost {lost.join(', ')}, so the key can do{' '}
          {key.effective_permissions.length > 0 ? `no more than ${key.effective_permissions.join(', ')}` : 'nothing'}.
        </p>
      ) : null}
      {key.previous ? (
        <p className={css['remark']}>
          The previous key, {key.previous.key_prefix}…, works until{' '}
          <DateTime at={key.previous.expires_at} show="date-time" />.
        </p>
      ) : null}
    </DetailsDialog>
  )
}
