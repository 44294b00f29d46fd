import * as security from '@agency/contract/descriptors/security'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './security.module.css'
import type { AdminKeyState } from './security-words.ts'

const RotateKeyDialog = lazy(() => import('./RotateKeyDialog.tsx').then((m) => ({ default: m.RotateKeyDialog })))
const DisableKeyDialog = lazy(() => import('./DisableKeyDialog.tsx').then((m) => ({ default: m.DisableKeyDialog })))

const sources: Record<AdminKeyState['source'], string> = {
  environment: 'The variable ADMIN_KEY',
  made: 'Made by the console',
}

export function AdminKeyPanel({ ready }: { ready: boolean }) {
  const state = useQuery({ ...q(security.getAdminKey, {}), enabled: ready })
  const [act, setAct] = useState<'rotate' | 'disable'>()
  const key = state.data
  const close = () => setAct(undefined)
  return (
    <Panel
      title="Admin key"
      asOf={key ? state.dataUpdatedAt : null}
      error={state.error}
      onRetry={() => void state.refetch()}
      loading={state.isPending}
      skeleton={<SkeletonLines count={3} />}
      footer={
        key ? (
          <div className={css['acts']}>
            <ReasonedButton size="small" blocked={key.cannot_rotate_reason} onClick={() => setAct('rotate')}>
              Rotate
            </ReasonedButton>
            <ReasonedButton
              size="small"
              color="error"
              blocked={key.enabled ? key.cannot_disable_reason : 'The admin key is off already'}
              onClick={() => setAct('disable')}
            >
              Switch off
            </ReasonedButton>
          </div>
        ) : undefined
      }
    >
      {key ? <KeyFacts state={key} /> : null}
      <Suspense>
        {key && act === 'rotate' ? <RotateKeyDialog state={key} onClose={close} /> : null}
        {key && act === 'disable' ? <DisableKeyDialog state={key} onClose={close} /> : null}
      </Suspense>
    </Panel>
  )
}

function KeyFacts({ state }: { state: AdminKeyState }) {
  const chip = state.enabled ? <StatusChip tone="success" label="On" /> : <StatusChip tone="neutral" label="Off" />
  const reasons = [state.cannot_rotate_reason, state.enabled ? state.cannot_disable_reason : null]
  return (
    <>
      <Facts
        facts={[
          { label: 'State', value: chip },
          { label: 'Source', value: sources[state.source] },
          { label: 'Set', value: <DateTime at={state.set_at} show="date-time" /> },
          { label: 'Last used', value: <DateTime at={state.last_used_at} show="relative" /> },
          { label: 'Live sessions', value: formatCount(state.live_sessions) },
          { label: 'API keys made with it', value: formatCount(state.live_api_keys) },
        ]}
      />
      {reasons
        .filter((reason) => reason !== null)
        .map((reason) => (
          <p key={reason} className={css['remark']}>
            {reason}
          </p>
        ))}
    </>
  )
}
