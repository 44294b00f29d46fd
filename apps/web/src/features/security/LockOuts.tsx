import * as security from '@agency/contract/descriptors/security'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { formatTime } from '../../lib/format-time.ts'
import { useCall } from '../../lib/use-call.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './security.module.css'
import { type LockOut, lockOutLabels } from './security-words.ts'

export function LockOuts({ ready }: { ready: boolean }) {
  const list = useQuery({ ...q(security.listLockOuts, {}), enabled: ready })
  const lockouts = list.data?.lockouts
  // The usual answer is one line, and so is its place.
  if (!lockouts?.length && !list.error) {
    return <p className={css['unlocked']}>{lockouts ? 'No locked addresses or accounts.' : <Skeleton width={280} />}</p>
  }
  return (
    <div className={css['above']}>
      <Panel
        title="Lock-outs"
        asOf={lockouts ? list.dataUpdatedAt : null}
        error={list.error}
        onRetry={() => void list.refetch()}
        flush
      >
        <ul className={css['lockouts']} aria-label="Lock-outs">
          {lockouts?.map((lockOut) => (
            <Line key={lockOut.id} lockOut={lockOut} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function Line({ lockOut }: { lockOut: LockOut }) {
  const { id, kind, subject, failures, last_failure_at, locked_until } = lockOut
  const release = useCall(security.releaseLockOut, [security.listLockOuts])
  const now = useNow()
  const locked = locked_until !== null && Date.parse(locked_until) > now
  const handleRelease = () =>
    release.mutate(
      { params: { id } },
      {
        success: `Released ${subject}`,
        failure: `${subject} was not released`,
      },
    )
  return (
    <li className={css['lockout']}>
      <div className={css['subject']}>
        <bdi>{subject}</bdi>
        <span className={css['muted']}>
          {lockOutLabels[kind]}, {formatCount(failures)} wrong, last <DateTime at={last_failure_at} show="relative" />
        </span>
      </div>
      {locked ? (
        <StatusChip tone="error" label={`Locked until ${formatTime(locked_until)}`} />
      ) : (
        <StatusChip tone="neutral" label="Not locked" />
      )}
      <Button size="small" variant="outlined" loading={release.isPending} onClick={handleRelease}>
        Release
      </Button>
    </li>
  )
}
