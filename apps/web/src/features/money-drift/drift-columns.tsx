import type { MoneyDrift } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { Age } from '../../ui/Age.tsx'
import type { Action } from '../../ui/action.ts'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { Person } from '../../ui/Person.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DriftMoney } from './DriftMoney.tsx'
import css from './drift.module.css'
import { variantChips } from './drift-words.ts'

type RepairsOf = (row: MoneyDrift) => Action[]

const before: readonly Column<MoneyDrift>[] = [
  {
    id: 'subject',
    header: 'Site or domain',
    share: '35%',
    cell: ({ subject, domain }) => <Person name={subject} detail={domain === subject ? null : domain} />,
    text: ({ subject, domain }) => (domain && domain !== subject ? `${subject} (${domain})` : subject),
  },
  {
    id: 'what',
    header: 'What',
    onCard: true,
    cell: ({ variant, dismissal }) => (
      <span className={css['chips']}>
        <StatusChip {...variantChips[variant]} />
        {dismissal ? <StatusChip label="Dismissed" tone="neutral" /> : null}
      </span>
    ),
  },
  {
    id: 'since',
    header: 'Since',
    align: 'right',
    sort: 'since',
    cell: ({ since }) => <DateTime at={since} show="relative" />,
  },
  { id: 'customer', header: 'Customer', share: '20%', isForeign: true, cell: (row) => <Customer row={row} /> },
  {
    id: 'evidence',
    header: 'Evidence',
    share: '45%',
    cell: (row) => <Seen row={row} />,
    text: ({ evidence }) => evidence.map(({ text }) => text).join(' · '),
  },
]

const money: Column<MoneyDrift> = {
  id: 'money',
  header: 'Money a month',
  align: 'right',
  sort: 'money',
  sortFirst: 'descending',
  onCard: true,
  cell: (row) => <DriftMoney money={row.money} />,
}

const repair = (repairsOf: RepairsOf): Column<MoneyDrift> => ({
  id: 'repair',
  header: 'Repair',
  onCard: true,
  cell: (row) => <Repair actions={repairsOf(row)} />,
})

export const driftColumns = (repairsOf: RepairsOf, seesMoney: boolean): readonly Column<MoneyDrift>[] => [
  ...before,
  ...(seesMoney ? [money] : []),
  repair(repairsOf),
]

function Customer({ row: { customer } }: { row: MoneyDrift }) {
  return customer && <a href={paths.customer(customer.id)}>{customer.name}</a>
}

function Seen({ row: { evidence } }: { row: MoneyDrift }) {
  const [first] = evidence
  if (!first) return null
  return (
    <span className={css['seen']}>
      <Age at={first.seen_at} /> <bdi>{first.text}</bdi>
    </span>
  )
}

/** What is recommended; the others stand in the menu of the row. */
function Repair({ actions: [first] }: { actions: readonly Action[] }) {
  if (!first) return null
  return first.href === undefined ? (
    <ReasonedButton size="small" variant="outlined" blocked={first.disabledReason}>
      {first.label}
    </ReasonedButton>
  ) : (
    <Button size="small" variant="outlined" href={first.href}>
      {first.label}
    </Button>
  )
}
