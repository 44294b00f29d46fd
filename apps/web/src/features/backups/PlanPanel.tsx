import * as backups from '@agency/contract/descriptors/backups'
import type { BackupDrill, BackupPlan } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SectionError } from '../../ui/SectionError.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import type { Act } from './BackupDialogs.tsx'
import { planQuery } from './backup-search.ts'
import { drillChips, drillText, planText, progressWords } from './backup-words.ts'
import css from './backups.module.css'

type Props = { onAct: (act: Act) => void; hasBackup: boolean }

/** What keeps the backups worth something without anybody's doing: the schedule, the kit, and the drill. */
export function PlanPanel({ onAct, hasBackup }: Props) {
  const { data, error, refetch } = useQuery(planQuery)
  if (error && !data) return <SectionError error={error} onRetry={() => void refetch()} />
  return (
    <Panel title="Safeguards" loading={data === undefined} skeleton={<div className={css['skeleton']} />}>
      {data ? (
        <ul className={css['safeguards']}>
          <Schedule plan={data.plan} onAct={onAct} />
          <Kit printedAt={data.kit_printed_at} onAct={onAct} />
          <Drill drill={data.drills[0]} provenAt={data.proven_at} hasBackup={hasBackup} />
        </ul>
      ) : null}
    </Panel>
  )
}

function Schedule({ plan, onAct }: { plan: BackupPlan; onAct: Props['onAct'] }) {
  return (
    <li>
      <strong>Schedule</strong>
      <span>
        {planText(plan)}
        {plan.next_at === null ? null : (
          <>
            {' · next '}
            <DateTime at={plan.next_at} />
          </>
        )}
      </span>
      <Button size="small" variant="outlined" onClick={() => onAct({ kind: 'plan', plan })}>
        Change schedule
      </Button>
    </li>
  )
}

function Kit({ printedAt, onAct }: { printedAt: string | null; onAct: Props['onAct'] }) {
  return (
    <li>
      <strong>Recovery kit</strong>
      <span>
        {printedAt === null ? (
          'Not printed. Without the kit, no backup can be restored on another machine.'
        ) : (
          <>
            Printed <DateTime at={printedAt} />
          </>
        )}
      </span>
      <Button
        size="small"
        variant={printedAt === null ? 'contained' : 'outlined'}
        onClick={() => onAct({ kind: 'kit', isPrinted: printedAt !== null })}
      >
        {printedAt === null ? 'Print recovery kit' : 'New key and kit'}
      </Button>
    </li>
  )
}

type DrillProps = { drill: BackupDrill | undefined; provenAt: string | null; hasBackup: boolean }

function Drill({ drill, provenAt, hasBackup }: DrillProps) {
  const start = useCall(backups.startDrill, [backups.getBackupPlan])
  const isRunning = drill?.state === 'open'
  const words = progressWords(drill?.progress ?? null)
  return (
    <li>
      <strong>Restore drill</strong>
      <span>
        {provenAt === null ? 'No backup was test-restored yet.' : 'Last proven restore: '}
        {provenAt === null ? null : <DateTime at={provenAt} show="relative" />}
        {drill && !isRunning ? (
          <span className={css['help']}>
            <StatusChip {...drillChips[drill.state]} /> {drillText(drill)}
          </span>
        ) : null}
        {isRunning ? <Progress {...words} label={`Restoring ${drill.backup_name} into a temporary database`} /> : null}
      </span>
      <ReasonedButton
        size="small"
        variant="outlined"
        loading={start.isPending}
        blocked={isRunning ? 'A drill is running' : hasBackup ? start.denial : 'Create a backup first'}
        onClick={() => start.mutate({}, { success: 'The drill has started', failure: 'The drill was not started.' })}
      >
        Run drill
      </ReasonedButton>
    </li>
  )
}
