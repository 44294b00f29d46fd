import * as audit from '@agency/contract/descriptors/audit'
import type { AuditVerification } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './audit.module.css'
import { verificationChips } from './audit-words.ts'
import { ChainFinding } from './ChainFinding.tsx'

const pollMs = 1000

type Props = { ready: boolean; hrefFor: (entryId: string) => string }

/** The head of the chain that every entry hangs in, and whether the whole of it was found untouched. */
export function ChainBar({ ready, hrefFor }: Props) {
  const chain = useQuery({
    ...q(audit.getAuditChain, {}),
    enabled: ready,
    refetchInterval: (query) => (query.state.data?.verification?.state === 'running' ? pollMs : false),
  })
  const verify = useCall(audit.verifyAudit, [audit.getAuditChain])
  const cancel = useCall(audit.cancelAuditVerification, [audit.getAuditChain])
  const last = chain.data?.verification ?? null
  const running = last?.state === 'running'
  const head = chain.data?.head
  const entries = head?.seq ?? 0

  if (!chain.data) {
    return <ListFailure error={chain.error} what="the tamper check" at={null} onRetry={() => void chain.refetch()} />
  }
  return (
    <section className={css['chain']} aria-label="Tamper check">
      <div className={css['head']}>
        <span className={css['label']}>Tamper check</span>
        <span>{entries === 1 ? '1 entry' : `${formatCount(entries)} entries`}</span>
        <CopyButton text={head?.hash ?? ''} label="Copy the newest hash" />
      </div>
      {running ? (
        <div className={css['progress']}>
          <Progress
            label="Checking all entries"
            done={last.checked}
            total={last.total}
            unit="entries"
            cancelling={cancel.isPending}
            onCancel={() => cancel.mutate({}, { failure: 'The check continues.' })}
          />
        </div>
      ) : (
        <>
          <LastCheck verification={last} />
          <Button
            variant="outlined"
            loading={verify.isPending}
            onClick={() => verify.mutate({}, { failure: 'The check did not start.' })}
          >
            Verify
          </Button>
        </>
      )}
      {last && !running ? <ChainFinding verification={last} hrefFor={hrefFor} /> : null}
    </section>
  )
}

function LastCheck({ verification }: { verification: AuditVerification | null }) {
  if (!verification) {
    return (
      <div className={css['last']}>
        <StatusChip tone="neutral" label="Not checked yet" />
      </div>
    )
  }
  return (
    <div className={css['last']}>
      <StatusChip {...verificationChips[verification.state]} />
      <span className={css['muted']}>
        {formatCount(verification.checked)} of {formatCount(verification.total)} entries,{' '}
        <DateTime at={verification.finished_at ?? verification.started_at} show="relative" />, by{' '}
        <bdi>{verification.started_by}</bdi>
      </span>
    </div>
  )
}
