import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import type { MoneyDrift } from '@agency/contract/types'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount, formatMoneyShort } from '../../lib/format.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { Age } from '../../ui/Age.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListSearch, ListSelect, ListToggles } from '../../ui/list/fields.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { DriftNotices, oldAfterMs } from './DriftNotices.tsx'
import { driftColumns } from './drift-columns.tsx'
import { driftChips, driftList, driftReads, sortChoices, statusChoices } from './drift-search.ts'
import { classLabels, driftClasses } from './drift-words.ts'
import { useRepairs } from './use-repairs.ts'

const DriftDetailsDialog = lazy(() =>
  import('./DriftDetailsDialog.tsx').then((module) => ({ default: module.DriftDetailsDialog })),
)
const DismissDialog = lazy(() => import('./DismissDialog.tsx').then((module) => ({ default: module.DismissDialog })))

const pollMs = 60_000
const nameOf = ({ subject }: MoneyDrift) => subject
const unit = ['row', 'rows'] as const

export function DriftPage() {
  const screen = useListScreen(driftList)
  const { state, answer, denial } = screen
  const [dismissed, setDismissed] = useState<MoneyDrift>()
  usePoll(() => void screen.query.refetch(), denial ? null : pollMs)
  const { actor } = useSessionState()
  const seesMoney = answer ? answer.money !== null : actor.permissions.includes('billing.read')
  const repairsOf = useRepairs()
  const columns = useMemo(() => driftColumns(repairsOf, seesMoney), [repairsOf, seesMoney])
  const dismissDenial = useDenial(moneyDrift.dismissMoneyDrift)
  const restore = useCall(moneyDrift.restoreMoneyDrift, driftReads)
  const handleRestore = (row: MoneyDrift) =>
    restore.mutate(
      { params: { id: row.id } },
      {
        success: (toast) => toast.success(`Restored: ${row.subject}`),
        failure: `${row.subject} was not restored`,
      },
    )
  return (
    <>
      <PageHeader title="Money Drift" summary={denial ? undefined : answer ? <Summary answer={answer} /> : ''} />
      <ListScreen
        screen={screen}
        label="Money drift"
        unit={unit}
        what="the money drift"
        denied="You may not see money drift"
        columns={columns}
        nameOf={nameOf}
        actionsOf={(row) => [
          { label: 'View Details', href: screen.hrefOf(row) },
          ...repairsOf(row),
          row.dismissal
            ? { label: 'Restore', divider: true, disabledReason: dismissDenial, onSelect: () => handleRestore(row) }
            : { label: 'Dismiss', divider: true, disabledReason: dismissDenial, onSelect: () => setDismissed(row) },
        ]}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search site, domain or customer" />
            <ListToggles
              screen={screen}
              field="class"
              label="Class"
              choices={driftClasses.map((value) => ({
                value,
                label: classLabels[value],
                count: answer?.counts[value],
              }))}
            />
            <ListSelect screen={screen} field="status" label="Status" choices={statusChoices} />
            <ListSelect
              screen={screen}
              field="sort"
              label="Sort by"
              choices={sortChoices.filter(({ value }) => seesMoney || !value.endsWith('money'))}
            />
          </>
        }
        chips={driftChips(state)}
        above={answer ? <DriftNotices answer={answer} /> : null}
        empty={
          answer?.compared_at === null ? (
            <EmptyState title="Not compared yet" text="The first comparison takes a few minutes." />
          ) : (
            <EmptyState title="No drift" text="Every live site is paid for, and every paid site is live." />
          )
        }
        details={({ id, onClose }) => (
          <DriftDetailsDialog id={id} onDismiss={setDismissed} onRestore={handleRestore} onClose={onClose} />
        )}
      />
      <Suspense>
        {dismissed ? <DismissDialog row={dismissed} onClose={() => setDismissed(undefined)} /> : null}
      </Suspense>
    </>
  )
}

/** `7 rows · $420 and €90 a month · compared 2 min ago` */
function Summary({ answer }: { answer: ResponseOf<typeof moneyDrift.listMoneyDrift> }) {
  const { counts, money, compared_at: at } = answer
  const sums = (money ?? []).map(({ amount, currency }) => formatMoneyShort(amount, currency))
  return (
    <>
      {formatCount(counts.open)} open
      {sums.length > 0 ? ` · ${sums.join(' + ')} a month` : ''}
      {at === null ? '' : ' · compared '}
      <Age at={at} lifetimeMs={oldAfterMs} />
    </>
  )
}
