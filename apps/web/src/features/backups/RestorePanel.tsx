import * as backups from '@agency/contract/descriptors/backups'
import type { Restore } from '@agency/contract/types'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { mayReturn, progressWords, restoreChips, restoreTitle } from './backup-words.ts'
import css from './backups.module.css'

const stale = [backups.listRestores, backups.listBackups]

type Props = { restore: Restore; onReturn: (restore: Restore) => void }

/** The newest restore: how far it is, then what it kept, what it brought in, and the way back. */
export function RestorePanel({ restore, onReturn }: Props) {
  const { state, snapshot_at, reason, report, aside_until } = restore
  const isRunning = state === 'open' || state === 'replaying'
  return (
    <Panel
      title={
        <span className={css['title']}>
          <bdi>{restoreTitle(restore)}</bdi> <StatusChip {...restoreChips[state]} />
        </span>
      }
      actions={
        mayReturn(restore) ? (
          <Button size="small" variant="outlined" onClick={() => onReturn(restore)}>
            Undo restore
          </Button>
        ) : null
      }
    >
      {isRunning ? <Running restore={restore} /> : null}
      {reason === null ? null : (
        <p role="alert" className={css['problem']}>
          {reason}
        </p>
      )}
      <p className={css['help']}>
        Data of <DateTime at={snapshot_at} />
        {aside_until === null ? null : (
          <>
            {' · '}The data before it is kept until <DateTime at={aside_until} />
          </>
        )}
      </p>
      {report.length === 0 ? null : (
        <ul className={css['report']} aria-label="What was kept and brought in">
          {report.map(({ what, text, ok }) => (
            <li key={what} data-ok={ok}>
              <strong>{what}</strong>
              <StatusChip tone={ok ? 'success' : 'warning'} label={ok ? 'Done' : 'Open'} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Running({ restore: { id, state, progress } }: { restore: Restore }) {
  const cancel = useCall(backups.cancelRestore, stale)
  const words = progressWords(progress)
  const handleCancel = () =>
    cancel.mutate({ params: { id } }, { success: 'Restore cancelled', failure: 'The restore was not cancelled.' })
  return <Progress {...words} cancelling={cancel.isPending} {...(state === 'open' ? { onCancel: handleCancel } : {})} />
}
