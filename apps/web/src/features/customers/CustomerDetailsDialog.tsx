import * as customers from '@agency/contract/descriptors/customers'
import type { Customer, CustomerDetails } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api.ts'
import { fetchFailure } from '../../lib/fetch-failure.ts'
import { useInvoiceParts } from '../../lib/invoice-parts.ts'
import { nameOf } from '../../lib/names.ts'
import { isNotFound } from '../../lib/not-found.ts'
import type { ApiError } from '../../lib/problems.ts'
import { stripePage } from '../../lib/provider-link.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import { Age } from '../../ui/Age.tsx'
import { Button } from '../../ui/Button.tsx'
import { DetailsDialog } from '../../ui/DetailsDialog.tsx'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { notFound } from '../../ui/not-found.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'
import { ActivityTab } from './ActivityTab.tsx'
import { editBlock } from './customer-actions.ts'
import { CustomerStatusChip, OwesChip } from './customer-columns.tsx'
import type { detailTabs } from './customer-search.ts'
import { LifecyclePanel } from './lifecycle/LifecyclePanel.tsx'
import { type LifecycleOptions, lifecycleActions } from './lifecycle/lifecycle-actions.ts'
import { NextSteps } from './NextSteps.tsx'
import { NotesTab } from './NotesTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { PaymentsTab } from './PaymentsTab.tsx'
import { ReportsTab } from './reports/ReportsTab.tsx'
import { SitesTab } from './SitesTab.tsx'
import { SubscriptionsTab } from './SubscriptionsTab.tsx'

type Tab = (typeof detailTabs)[number]
type Props = {
  id: string
  /** What the list already knows, shown until the whole has come. */
  listed: Customer | undefined
  tab: Tab
  onTab: (tab: Tab) => void
  onEdit: () => void
  /** It was just added. */
  isNew: boolean
  /** Why the actor may not start subscriptions, or undefined. */
  subscribeDenial: string | undefined
  onSubscribe: () => void
  lifecycle: LifecycleOptions
  onClose: () => void
}

export function CustomerDetailsDialog(props: Props) {
  const { id, listed, tab, onTab, onEdit, isNew, onSubscribe, lifecycle, onClose } = props
  const denial = useDenial(customers.updateCustomer)
  const { CustomerInvoices } = useInvoiceParts()
  const details = useQuery(q(customers.getCustomer, { params: { id } }))
  const customer = details.data?.customer
  const known = customer ?? listed
  const error = details.error as ApiError | null
  const subscribeBlock = props.subscribeDenial ?? (known ? editBlock(known) : undefined)
  const link = stripePage(useSessionState(), 'customers', id)
  if (isNotFound(error)) return <DetailsDialog {...notFound('Customer')} onClose={onClose} />
  const loaded = (content: (all: CustomerDetails) => React.ReactNode) =>
    customer ? content(customer) : error ? null : <SkeletonLines count={5} />

  return (
    <DetailsDialog
      title={known ? nameOf(known) : 'Customer'}
      marks={
        known ? (
          <>
            <CustomerStatusChip customer={known} />
            <OwesChip owes={known.owes} />
          </>
        ) : null
      }
      subtitle={known ? <Subtitle customer={known} /> : null}
      tab={tab}
      onTab={(next) => onTab(next as Tab)}
      onClose={onClose}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          content: (
            <>
              <DetailsFailure error={error} at={customer?.fetched_at ?? null} onRetry={() => void details.refetch()} />
              {isNew ? <NextSteps blocked={subscribeBlock} onSubscribe={onSubscribe} /> : null}
              <LifecyclePanel id={id} />
              {loaded((all) => (
                <OverviewTab customer={all} />
              ))}
            </>
          ),
        },
        { id: 'sites', label: 'Sites', content: <SitesTab customerId={id} /> },
        {
          id: 'subscriptions',
          label: 'Subscriptions',
          content: (
            <>
              <DetailsFailure error={error} at={customer?.fetched_at ?? null} onRetry={() => void details.refetch()} />
              {loaded((all) => (
                <SubscriptionsTab subscriptions={all.subscriptions} blocked={subscribeBlock} onNew={onSubscribe} />
              ))}
            </>
          ),
        },
        {
          id: 'payments',
          label: 'Payments',
          content: (
            <>
              <DetailsFailure error={error} at={customer?.fetched_at ?? null} onRetry={() => void details.refetch()} />
              {loaded((all) => (
                <PaymentsTab customerId={id} payments={all.payments} />
              ))}
            </>
          ),
        },
        { id: 'invoices', label: 'Invoices', content: <CustomerInvoices customerId={id} /> },
        { id: 'reports', label: 'Reports', content: <ReportsTab customerId={id} /> },
        { id: 'activity', label: 'Activity Log', content: <ActivityTab customerId={id} /> },
        { id: 'notes', label: 'Notes', content: <NotesTab customerId={id} /> },
      ]}
      actions={
        <>
          {link ? (
            <Button href={link} external endIcon={<Icon name="openInNew" />}>
              Open at Stripe
            </Button>
          ) : null}
          <ReasonedButton
            variant="outlined"
            aria-haspopup="dialog"
            blocked={denial ?? (known ? editBlock(known) : undefined)}
            onClick={onEdit}
          >
            Edit Customer
          </ReasonedButton>
          {known ? <MoreMenu label="More for this customer" actions={lifecycleActions(known, lifecycle)} /> : null}
        </>
      }
    />
  )
}

function Subtitle({ customer }: { customer: Customer | CustomerDetails }) {
  const { company } = customer.metadata
  const parts = [customer.name ? customer.email : null, company].filter((part) => part && part !== customer.name)
  return parts.map((part, index) => (
    <span key={part}>
      {index > 0 ? ' · ' : null}
      <bdi>{part}</bdi>
    </span>
  ))
}

type FailureProps = { error: ApiError | null; at: string | null; onRetry: () => void }

function DetailsFailure({ error, at, onRetry }: FailureProps) {
  if (!error) return null
  return (
    <ErrorPanel error={error} onRetry={onRetry}>
      {fetchFailure('customers', error)}
      {at ? (
        <>
          {' '}
          <Age at={at} failed />
        </>
      ) : null}
    </ErrorPanel>
  )
}
