import { customerStatusChips } from '../../lib/customer-status.ts'
import { nameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import type { Dashboard } from './use-dashboard.ts'

const shown = 5

export function CustomersPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="Recent Customers"
      section="customers"
      board={board}
      flush
      footer={
        <>
          <a href={paths.customers}>All customers</a>
          {' · '}
          <a href={paths.debtors}>Who owes money</a>
        </>
      }
    >
      {({ customers }) =>
        customers.length === 0 ? (
          <EmptyState compact text="No customers yet." />
        ) : (
          <ul className={css['list']}>
            {customers.slice(0, shown).map((customer) => (
              <li key={customer.id}>
                <a className={css['row']} href={paths.customer(customer.id)}>
                  <Person name={nameOf(customer)} detail={customer.metadata.company ?? customer.email} />
                  <span className={css['chips']}>
                    <StatusChip {...customerStatusChips[customer.status]} />
                  </span>
                  <span className={css['amount']}>
                    <Money amount={customer.total_revenue} currency={customer.currency} />
                  </span>
                  <span className={css['when']}>
                    <DateTime at={customer.created_at} show="relative" />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </DashboardPanel>
  )
}
