import { formatMoney } from '../../lib/format.ts'
import { customerNameOf } from '../../lib/names.ts'
import { paths } from '../../lib/paths.ts'
import { paymentMarks, paymentStatusChips } from '../../lib/payment-status.ts'
import { purposeOf } from '../../lib/payment-words.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Person } from '../../ui/Person.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import type { Dashboard } from './use-dashboard.ts'

const shown = 5

export function ActivityPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="Recent Activity"
      section="payments"
      board={board}
      flush
      actions={
        <IconButton
          small
          label="Refresh recent activity"
          disabled={board.retrying.has('payments')}
          onClick={() => board.retry('payments')}
        >
          <Icon name="refresh" />
        </IconButton>
      }
      footer={<a href={paths.payments}>All payments</a>}
    >
      {({ payments }) =>
        payments.length === 0 ? (
          <EmptyState compact text="No payments yet." />
        ) : (
          <ul className={css['list']}>
            {payments.slice(0, shown).map((payment) => (
              <li key={payment.id}>
                <a className={css['row']} href={paths.payment(payment.id)}>
                  <Person name={customerNameOf(payment)} detail={purposeOf(payment) ?? payment.customer_email} />
                  <span className={css['chips']}>
                    <StatusChip {...paymentStatusChips[payment.status]} />
                    {paymentMarks(payment).map((mark) => (
                      <StatusChip key={mark.label} {...mark} />
                    ))}
                  </span>
                  <span className={css['amount']}>{formatMoney(payment.amount, payment.currency)}</span>
                  <span className={css['when']}>
                    <DateTime at={payment.created_at} show="relative" />
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
