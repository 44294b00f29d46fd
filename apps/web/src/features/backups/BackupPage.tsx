import type { Backup } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { paths } from '../../lib/paths.ts'
import type { Action } from '../../ui/action.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSearch, ListSelect } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ToolScreenTabs } from '../../ui/ToolScreenTabs.tsx'
import type { Act } from './BackupDialogs.tsx'
import { backupColumns } from './backup-columns.tsx'
import { backupChips, backupsList, restoresQuery, stateChoices } from './backup-search.ts'
import { restoreBlock } from './backup-words.ts'
import css from './backups.module.css'
import { CreateBackup } from './CreateBackup.tsx'
import { PlanPanel } from './PlanPanel.tsx'
import { RestorePanel } from './RestorePanel.tsx'

const BackupDialogs = lazy(() => import('./BackupDialogs.tsx').then((m) => ({ default: m.BackupDialogs })))
const BackupDetails = lazy(() => import('./BackupDetails.tsx').then((m) => ({ default: m.BackupDetails })))

const nameOf = ({ name }: Backup) => name
const unit = ['backup', 'backups'] as const
const isOpen = ({ state }: { state: string }) => state === 'queued' || state === 'running'
const isRestoring = ({ state }: { state: string }) => state === 'open' || state === 'replaying'

export function BackupPage() {
  const screen = useListScreen(backupsList)
  const restores = useQuery(restoresQuery)
  const [act, setAct] = useState<Act>()
  const newest = restores.data?.restores[0]
  const running = newest && isRestoring(newest) ? newest : undefined
  const open = screen.rows?.find((row) => isOpen(row) && row.cause !== 'before_restore')
  return (
    <>
      <PageHeader title="Admin Tools" summary="Back up and restore all data of the console" />
      <ToolScreenTabs current={paths.backup} />
      <div className={css['page']}>
        {newest ? <RestorePanel restore={newest} onReturn={(restore) => setAct({ kind: 'return', restore })} /> : null}
        {screen.denial ? null : (
          <CreateBackup
            open={open}
            incrementalBlocked={screen.answer?.incremental_blocked}
            blocked={running ? 'A backup is being restored' : undefined}
          />
        )}
        {screen.denial ? null : (
          <PlanPanel onAct={setAct} hasBackup={(screen.rows ?? []).some(({ state }) => state === 'done')} />
        )}
        <ListScreen
          screen={screen}
          label="Backups"
          unit={unit}
          denied="You don’t have access to backups"
          columns={backupColumns}
          nameOf={nameOf}
          actionsOf={(backup) =>
            actionsOf(backup, { href: screen.hrefOf(backup), isBusy: running !== undefined, onAct: setAct })
          }
          skeletonRows={5}
          toolbar={
            <>
              <ListSearch screen={screen} label="Search name" />
              <ListSelect screen={screen} field="state" label="State" choices={stateChoices} />
            </>
          }
          chips={backupChips(screen.state)}
          empty={nothing}
          details={({ id, onClose }) => <BackupDetails id={id} onClose={onClose} />}
        />
      </div>
      <Suspense>{act ? <BackupDialogs act={act} onClose={() => setAct(undefined)} /> : null}</Suspense>
    </>
  )
}

const nothing = (
  <EmptyState
    title="No backups yet"
    text="Enter a name above and choose Create Backup. A backup is done only after its file was verified."
  />
)

type For = { href: string; isBusy: boolean; onAct: (act: Act) => void }

function actionsOf(backup: Backup, { href, isBusy, onAct }: For): readonly Action[] {
  return [
    { label: 'View Details', href },
    {
      label: 'Restore Backup',
      disabledReason: restoreBlock(backup, isBusy),
      onSelect: () => onAct({ kind: 'restore', backup }),
    },
    ...(backup.type === 'incremental'
      ? [
          {
            label: 'Full backup of a point in time',
            disabledReason: backup.chain === null ? 'Only from a finished backup' : undefined,
            onSelect: () => onAct({ kind: 'moment', backup }),
          },
        ]
      : []),
    {
      label: 'Delete',
      destructive: true,
      divider: true,
      disabledReason: isOpen(backup) ? 'Cancel the backup first' : undefined,
      onSelect: () => onAct({ kind: 'delete', backup }),
    },
  ]
}
