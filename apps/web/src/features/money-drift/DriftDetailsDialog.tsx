import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { MoneyDrift } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DriftMoney } from './DriftMoney.tsx'
import css from './drift.module.css'
import { moneyMeanings, sourceLabels, variantChips } from './drift-words.ts'
import { useRepairs } from './use-repairs.ts'

type Props = {
  id: string
  onDismiss: (row: MoneyDrift) => void
  onRestore: (row: MoneyDrift) => void
  onClose: () => void
}

export function DriftDetailsDialog({ id, onDismiss, onRestore, onClose }: Props) {
  const details = useQuery(q(moneyDrift.getMoneyDrift, { params: { id } }))
  const error = details.error
  // A row that is repaired while its details are open is no failure.
  const isGone = isNotFound(error)
  const row = isGone ? undefined : details.data?.drift
  return (
    <DetailsDialog
      title={row?.subject ?? (isGone ? 'No drift' : 'Drift')}
      marks={row ? <StatusChip {...variantChips[row.variant]} /> : null}
      subtitle={row?.domain && row.domain !== row.subject ? <bdi>{row.domain}</bdi> : null}
      actions={row ? <Actions row={row} onDismiss={onDismiss} onRestore={onRestore} /> : undefined}
      onClose={onClose}
    >
      {isGone ? (
        <EmptyState compact text="Solved: nothing to fix here." />
      ) : (
        <ListFailure
          error={error}
          what="the drift"
          at={row ? details.dataUpdatedAt : null}
          onRetry={() => void details.refetch()}
        />
      )}
      {row ? <Overview row={row} /> : error ? null : <SkeletonLines count={6} />}
    </DetailsDialog>
  )
}

function Overview({ row }: { row: MoneyDrift }) {
  const { customer, dismissal } = row
  const facts: Fact[] = [
    { label: 'Since', value: <DateTime at={row.since} show="date-time" /> },
    {
      label: 'Customer',
      value: customer ? <a href={paths.customer(customer.id)}>{customer.name}</a> : 'None',
    },
    ...(row.money?.length ? [{ label: moneyMeanings[row.class], value: <DriftMoney money={row.money} /> }] : []),
    ...(dismissal
      ? [
          { label: 'Dismissed by', value: dismissal.by },
          { label: 'Dismissed until', value: <DateTime at={dismissal.until} show="date-time" /> },
          { label: 'Reason', value: dismissal.reason, wide: true },
        ]
      : []),
  ]
  return (
    <>
      <Facts facts={facts} />
      <h3 className={css['heading']}>Evidence</h3>
      <ul className={css['evidence']} aria-label="Evidence">
        {row.evidence.map(({ source, text, at, seen_at }) => (
          <li key={`${source} ${text}`}>
            <span className={css['muted']}>{sourceLabels[source]}</span>
            <span className={css['text']}>
              <bdi>{text}</bdi>
              {at === null ? null : (
                <span className={css['when']}>
                  <DateTime at={at} show="date-time" />
                </span>
              )}
            </span>
            <span className={css['muted']}>
              seen <Age at={seen_at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Actions({ row, onDismiss, onRestore }: Omit<Props, 'id' | 'onClose'> & { row: MoneyDrift }) {
  const denial = useDenial(moneyDrift.dismissMoneyDrift)
  const [first, ...others] = useRepairs()(row)
  return (
    <>
      <ReasonedButton
        variant="outlined"
        aria-haspopup={row.dismissal ? undefined : 'dialog'}
        blocked={denial}
        onClick={() => (row.dismissal ? onRestore(row) : onDismiss(row))}
      >
        {row.dismissal ? 'Restore' : 'Dismiss'}
      </ReasonedButton>
      {first?.href ? (
        <Button variant="contained" href={first.href}>
          {first.label}
        </Button>
      ) : first ? (
        <ReasonedButton variant="contained" blocked={first.disabledReason}>
          {first.label}
        </ReasonedButton>
      ) : null}
      {others.length > 0 ? <MoreMenu label="More repairs" actions={others} /> : null}
    </>
  )
}
