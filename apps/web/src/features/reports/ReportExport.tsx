import { useExport } from '../../lib/list/use-export.ts'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { ExportMenu } from '../../ui/ExportMenu.tsx'
import { type ReportsSearch, rangeOf } from './reports-search.ts'

type Props = { state: ReportsSearch }

const figures = ['figure', 'figures'] as const
// Money of sites stands in it, which is billing's.
const billing = { permission: 'billing.read' } as const
const customers = { permission: 'customers.read' } as const

const inCurrency = ({ currency }: ReportsSearch) => (currency === '' ? {} : { currency })

function RevenueExport({ state }: Props) {
  const { isPending, start } = useExport('report_revenue', figures)
  return (
    <ExportMenu
      title="All figures of the Revenue tab, in this range"
      isPending={isPending}
      onExport={(format) => start(format, rangeOf(state))}
    />
  )
}

function CustomersExport({ state }: Props) {
  const { isPending, start } = useExport('report_customers', figures)
  return (
    <ExportMenu
      title="All figures of the Customers tab, in this range"
      isPending={isPending}
      onExport={(format) => start(format, { ...rangeOf(state), ...inCurrency(state) })}
    />
  )
}

function PerformanceExport({ state }: Props) {
  const { isPending, start } = useExport('report_performance', ['day', 'days'])
  return (
    <ExportMenu
      title="Performance by day, in this range"
      isPending={isPending}
      onExport={(format) => start(format, rangeOf(state))}
    />
  )
}

function UsageExport({ state }: Props) {
  const { isPending, start } = useExport('report_usage', ['site', 'sites'])
  const denial = useDenial(billing)
  return (
    <ExportMenu
      title="Usage and profit of all sites, in this range"
      isPending={isPending}
      disabledReason={denial}
      onExport={(format) => start(format, rangeOf(state))}
    />
  )
}

/** What the tab shows, in the range that is shown. */
export function ReportExport({ path, state }: Props & { path: string }) {
  if (path === paths.customersReport) return <CustomersExport state={state} />
  if (path === paths.usageReport) return <UsageExport state={state} />
  if (path === paths.performanceReport) return <PerformanceExport state={state} />
  return <RevenueExport state={state} />
}

/** Everybody who left in the range, not only those listed. */
export function ChurnedExport({ state, currency }: Props & { currency: string }) {
  const { isPending, start } = useExport('report_churned', ['customer', 'customers'])
  const denial = useDenial(customers)
  return (
    <ExportMenu
      label="Export customers who left"
      title="All customers who left in this range"
      isPending={isPending}
      disabledReason={denial}
      onExport={(format) => start(format, { ...rangeOf(state), currency })}
    />
  )
}

/** All that renew soon, not only those listed. */
export function RenewalsExport({ currency }: { currency: string }) {
  const { isPending, start } = useExport('report_renewals', ['renewal', 'renewals'])
  const denial = useDenial(billing)
  return (
    <ExportMenu
      label="Export renewals"
      title="All renewals of the next 30 days"
      isPending={isPending}
      disabledReason={denial}
      onExport={(format) => start(format, { currency })}
    />
  )
}
