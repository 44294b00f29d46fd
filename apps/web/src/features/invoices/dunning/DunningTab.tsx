import * as dunning from '@agency/contract/descriptors/dunning'
import type { FailedInvoice } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api.ts'
import { formatMoney } from '../../../lib/format.ts'
import { useExport } from '../../../lib/list/use-export.ts'
import { useListScreen } from '../../../lib/list/use-list-screen.ts'
import { customerNameOf } from '../../../lib/names.ts'
import { paths } from '../../../lib/paths.ts'
import { type TabProps, useSettled } from '../../../lib/use-settled.ts'
import type { Action } from '../../../ui/action.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ExportMenu } from '../../../ui/ExportMenu.tsx'
import { ListSearch, ListSelect } from '../../../ui/list/fields.tsx'
import { ListScreen } from '../../../ui/list/ListScreen.tsx'
import { useInvoiceActs } from '../use-invoice-acts.tsx'
import { dunningColumns } from './dunning-columns.tsx'
import { dunningChips, dunningFiltersOf, dunningList, stateChoices } from './dunning-list.ts'

const unit = ['failed payment', 'failed payments'] as const
const nameOf = (row: FailedInvoice) => `${formatMoney(row.amount_remaining, row.currency)} of ${customerNameOf(row)}`

const hrefOf = (row: FailedInvoice) => (row.customer_id === null ? undefined : paths.customer(row.customer_id))

const link = (label: string, id: string | null, hrefOf: (id: string) => string): Action[] =>
  id === null ? [] : [{ label, href: hrefOf(id) }]

/** Where a row leads. */
const linksOf = (row: FailedInvoice): Action[] => [
  ...link('View Customer', row.customer_id, paths.customer),
  ...link('View Subscription', row.subscription_id, paths.subscription),
  ...link('View Payment', row.payment_id, paths.payment),
]

/** Failed payments that can still be collected. */
export function DunningTab({ onSettled }: TabProps) {
  const screen = useListScreen(dunningList)
  useSettled(screen.query, onSettled)
  const { actionsOf, dialog } = useInvoiceActs()
  const exported = useExport('dunning', unit)
  const figures = useQuery({ ...q(dunning.getDunning, {}), enabled: !screen.query.isPending })
  const currencies = figures.data?.by_currency.map(({ currency }) => currency) ?? []
  const customerName = (id: string) => {
    const row = screen.rows?.find(({ customer_id }) => customer_id === id)
    return row ? customerNameOf(row) : id
  }

  return (
    <>
      <ListScreen
        screen={screen}
        label="Failed payments"
        unit={unit}
        columns={dunningColumns}
        nameOf={nameOf}
        hrefOf={hrefOf}
        actionsOf={(row) => [...linksOf(row), ...actionsOf(row)]}
        toolbar={
          <>
            <ListSearch screen={screen} label="Search customer, email or invoice number" />
            <ListSelect screen={screen} field="state" label="Retries" choices={stateChoices} />
            {currencies.length > 1 ? (
              <ListSelect
                screen={screen}
                field="currency"
                label="Currency"
                choices={[
                  { value: '', label: 'All' },
                  ...currencies.map((code) => ({ value: code, label: code.toUpperCase() })),
                ]}
              />
            ) : null}
            <ExportMenu
              title="All failed payments that match the filters"
              isPending={exported.isPending}
              onExport={(format) => exported.start(format, dunningFiltersOf(screen.state))}
            />
          </>
        }
        chips={dunningChips(screen.state, customerName)}
        empty={<EmptyState text="No failed payments. Invoices appear here after a failed charge." />}
      />
      {dialog}
    </>
  )
}
