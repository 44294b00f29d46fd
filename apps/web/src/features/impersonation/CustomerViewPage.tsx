import * as impersonation from '@agency/contract/descriptors/impersonation'
import type { Impersonation } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { customerNameOf } from '../../lib/names.ts'
import { isNotFound } from '../../lib/not-found.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { useSearchState } from '../../lib/use-search-state.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ListFailure } from '../../ui/ListFailure.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { SubTabLinks } from '../../ui/SubTabLinks.tsx'
import { oneImpersonation } from './impersonation-search.ts'
import { causeText } from './impersonation-words.ts'
import { ViewAccount } from './ViewAccount.tsx'
import { ViewInvoices } from './ViewInvoices.tsx'
import { ViewPayments } from './ViewPayments.tsx'
import { ViewSites } from './ViewSites.tsx'
import { ViewSubscriptions } from './ViewSubscriptions.tsx'
import { type ViewTab, viewIdOf, viewSearch } from './view-search.ts'

const tabs = [
  { href: '?', label: 'Account' },
  { href: '?tab=subscriptions', label: 'Subscriptions' },
  { href: '?tab=invoices', label: 'Invoices' },
  { href: '?tab=payments', label: 'Payments' },
  { href: '?tab=sites', label: 'Sites' },
]

/** A customer's account as the customer sees it, for as long as the view lives. */
export function CustomerViewPage() {
  const id = viewIdOf(useLocation().pathname)
  const denial = useDenial(impersonation.viewAccount)
  const query = useQuery({ ...oneImpersonation(id), enabled: denial === undefined })
  const view = query.data?.impersonation
  const isMissing = isNotFound(query.error)
  return (
    <>
      <PageHeader
        title={view ? customerNameOf(view) : 'Customer view'}
        summary="The account as the customer sees it, read-only"
        actions={<Button href={paths.impersonation}>All impersonations</Button>}
      />
      {denial ? <EmptyState title="You may not view customers" text={denial} /> : null}
      {isMissing ? <EmptyState title="View not found" text="The address may be wrong." /> : null}
      {isMissing ? null : (
        <ListFailure
          error={query.error}
          what="the view"
          at={view ? query.dataUpdatedAt : null}
          onRetry={() => void query.refetch()}
        />
      )}
      {view ? <View view={view} /> : query.isPending && !denial ? <SkeletonLines count={4} /> : null}
    </>
  )
}

function View({ view }: { view: Impersonation }) {
  if (view.way === 'portal') {
    return <EmptyState title="Opened at Stripe" text="Billing portal sessions cannot be shown here." />
  }
  if (view.state !== 'live') return <Over view={view} />
  if (!view.is_mine) {
    return (
      <EmptyState
        title="This view belongs to another session"
        text="Only the session that opened the view can see it."
      />
    )
  }
  return <LiveView view={view} />
}

function Over({ view }: { view: Impersonation }) {
  const again = `${paths.impersonation}?impersonate=${encodeURIComponent(view.customer_id)}`
  return (
    <EmptyState
      title="This view has ended"
      text={<bdi>{`${causeText(view) ?? 'Time is up'}.`}</bdi>}
      action={
        view.customer_deleted ? undefined : (
          <Button variant="outlined" href={again}>
            Start another
          </Button>
        )
      }
    />
  )
}

function LiveView({ view }: { view: Impersonation }) {
  const { state } = useSearchState(viewSearch)
  const current = state.tab === 'account' ? '?' : `?tab=${state.tab}`
  return (
    <>
      <SubTabLinks label="The customer's account" tabs={tabs} current={current} />
      <SectionBoundary resetKey={state.tab}>
        <Part id={view.id} tab={state.tab} />
      </SectionBoundary>
    </>
  )
}

function Part({ id, tab }: { id: string; tab: ViewTab }) {
  switch (tab) {
    case 'account':
      return <ViewAccount id={id} />
    case 'subscriptions':
      return <ViewSubscriptions id={id} />
    case 'invoices':
      return <ViewInvoices id={id} />
    case 'payments':
      return <ViewPayments id={id} />
    case 'sites':
      return <ViewSites id={id} />
  }
}
