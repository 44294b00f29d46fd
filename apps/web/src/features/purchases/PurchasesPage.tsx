import type { Purchase } from '@agency/contract/types'
import { lazy } from 'react'
import { formatCount } from '../../lib/format.ts'
import { formatTime } from '../../lib/format-time.ts'
import { useListScreen } from '../../lib/list/use-list-screen.ts'
import { usePoll } from '../../lib/use-poll.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PurchaseActions } from './PurchaseActions.tsx'
import { PurchasesFooter } from './PurchasesFooter.tsx'
import { purchaseColumns } from './purchase-columns.tsx'
import css from './purchases.module.css'
import { purchasesFailure } from './purchases-failure.ts'
import { purchasesList } from './purchases-list.ts'

const Details = lazy(() => import('./PurchaseDetailsDialog.tsx').then((m) => ({ default: m.PurchaseDetailsDialog })))

const nameOf = (row: Purchase) => row.siteName

export function PurchasesPage() {
  const screen = useListScreen(purchasesList)
  const { query, answer, rows, denial } = screen
  // The event stream tells of new ones; this is for when it is down.
  usePoll(() => {
    if (!denial) void query.refetch()
  })

  return (
    <>
      <PageHeader
        title="Recent Purchases"
        summary={
          answer ? (
            <Summary unread={answer.unreadCount} at={query.isPlaceholderData ? null : query.dataUpdatedAt} />
          ) : denial ? undefined : (
            ''
          )
        }
        actions={
          denial ? undefined : <PurchaseActions unread={answer?.unreadCount} onRefresh={() => query.refetch()} />
        }
      />
      <ListScreen
        screen={screen}
        label="Recent purchases"
        many="purchases"
        columns={purchaseColumns(rows)}
        nameOf={nameOf}
        withoutPager
        failureOf={purchasesFailure}
        empty={<EmptyState title="No recent purchases" text="Purchases appear here when a checkout is completed." />}
        details={(row) => <Details {...row} />}
      />
      {answer ? <PurchasesFooter shown={answer.purchases.length} total={answer.total} paging={screen.paging} /> : null}
    </>
  )
}

function Summary({ unread, at }: { unread: number; at: number | null }) {
  return (
    <>
      {unread > 0 ? <span className={css['unread']}>{formatCount(unread)} unread</span> : 'All read'}
      {at === null ? null : ` · Last updated ${formatTime(at)}`}
    </>
  )
}
