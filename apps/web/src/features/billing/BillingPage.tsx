import * as billing from '@agency/contract/descriptors/billing'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { q } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import { useInvoiceParts } from '../../lib/invoice-parts.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import type { TabProps } from '../../lib/use-settled.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import { billingFailure } from './billing-failure.ts'
import { PaymentsTab } from './PaymentsTab.tsx'
import { PlansTab } from './PlansTab.tsx'
import { SubscriptionsTab } from './SubscriptionsTab.tsx'
import { SummaryCards } from './SummaryCards.tsx'

const failureOf = billingFailure('stats')

export function BillingPage() {
  const tab = useTab()
  const denial = useDenial(billing.getStats)
  // The rows come first; cards and counts are asked for once they are there.
  const [rows, setRows] = useState<'pending' | 'ready' | 'failed'>('pending')
  const stats = useQuery({ ...q(billing.getStats, {}), enabled: rows !== 'pending' && !denial })
  const figures = stats.data?.stats
  const { Dunning, DunningFigures } = useInvoiceParts()
  const Tab = tab === 'dunning' ? Dunning : tabs[tab]
  // One failure is said once: while the rows are missing too, theirs stands for both.
  const handleSettled = (failed: boolean) => {
    setRows(failed ? 'failed' : 'ready')
    if (!failed && stats.isError) void stats.refetch()
  }

  return (
    <>
      <PageHeader
        title="Billing"
        summary={
          figures
            ? `${formatCount(figures.active_subscriptions)} active · ${formatCount(figures.trialing_subscriptions)} trialing · ${formatCount(figures.past_due_subscriptions)} past due`
            : ''
        }
      />
      {denial ? <EmptyState title="You may not see billing" text={denial} /> : null}
      {denial ? null : (
        <>
          {rows === 'failed' ? null : (
            <ListFailure
              error={stats.error}
              wordsOf={failureOf}
              at={stats.data ? stats.dataUpdatedAt : null}
              onRetry={() => void stats.refetch()}
            />
          )}
          {tab === 'dunning' ? (
            <DunningFigures isReady={rows !== 'pending'} />
          ) : (
            <SummaryCards stats={figures} failed={stats.isError} />
          )}
          <TabLinks
            label="Billing"
            current={tabPaths[tab]}
            tabs={[
              { href: paths.subscriptions, label: 'Subscriptions', count: figures?.counts.subscriptions },
              { href: paths.payments, label: 'Payments', count: figures?.counts.payments },
              { href: paths.dunning, label: 'Dunning' },
              { href: paths.plans, label: 'Plans', count: figures?.counts.plans },
              { href: paths.coupons, label: 'Coupons' },
              { href: paths.paymentLinks, label: 'Payment Links' },
            ]}
          />
          <Tab onSettled={handleSettled} />
        </>
      )}
    </>
  )
}

const tabPaths = {
  subscriptions: paths.subscriptions,
  payments: paths.payments,
  dunning: paths.dunning,
  plans: paths.plans,
  coupons: paths.coupons,
  links: paths.paymentLinks,
}
/** A tab that is loaded once somebody opens it. */
function lazyTab(load: () => Promise<{ default: ComponentType<TabProps> }>) {
  const Tab = lazy(load)
  return (props: TabProps) => (
    <Suspense fallback={<SkeletonLines count={8} height={40} />}>
      <Tab {...props} />
    </Suspense>
  )
}

const tabs = {
  subscriptions: SubscriptionsTab,
  payments: PaymentsTab,
  plans: PlansTab,
  coupons: lazyTab(() => import('./coupons/CouponsTab.tsx').then((m) => ({ default: m.CouponsTab }))),
  links: lazyTab(() => import('./payment-links/LinksTab.tsx').then((m) => ({ default: m.LinksTab }))),
}

function useTab(): keyof typeof tabPaths {
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const tab = params.get('tab')
  if (pathname === paths.payments) return tab === 'dunning' || tab === 'links' ? tab : 'payments'
  return tab === 'plans' || tab === 'coupons' ? tab : 'subscriptions'
}
