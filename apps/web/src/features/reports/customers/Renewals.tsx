import type { Renewal } from '@agency/contract/types'
import { useQuery } from '@tanstack/react-query'
import { formatCount, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { formatMonth } from '../../../lib/format-time.ts'
import { paths } from '../../../lib/paths.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import type { Column } from '../../../ui/data-table/columns.ts'
import { DataTable } from '../../../ui/data-table/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ListFailure } from '../../../ui/ListFailure.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { Definitions } from '../Definitions.tsx'
import { RenewalsExport } from '../ReportExport.tsx'
import css from '../reports.module.css'
import { renewalsQuery } from '../reports-search.ts'

const unknown = 'Unavailable'

const columns: readonly Column<Renewal>[] = [
  { id: 'customer', header: 'Customer', share: '40%', cell: (row) => <bdi>{nameOf(row)}</bdi>, text: nameOf },
  { id: 'plan', header: 'Plan', share: '30%', cell: ({ plan_name }) => plan_name, text: ({ plan_name }) => plan_name },
  {
    ...{ id: 'renews_at', header: 'Renews', align: 'right', onCard: true },
    cell: ({ renews_at }) => <DateTime at={renews_at} show="date" />,
  },
  { id: 'mrr', header: 'MRR', align: 'right', cell: ({ mrr, currency }) => formatMoney(mrr, currency) },
  {
    ...{ id: 'at_risk', header: 'At risk', align: 'right', onCard: true },
    cell: ({ mrr_at_risk, currency }) => formatMoney(mrr_at_risk, currency),
  },
  {
    ...{ id: 'risks', header: 'Risks', onCard: true },
    cell: ({ risks }) =>
      risks.length === 0 ? (
        'None'
      ) : (
        <span className={css['risks']}>
          {risks.map(({ risk, text, weight_percent }) => (
            <StatusChip
              key={risk}
              tone={weight_percent >= 50 ? 'error' : 'warning'}
              label={text}
              title={`${text}: ${weight_percent}% of its MRR`}
            />
          ))}
        </span>
      ),
  },
  {
    ...{ id: 'card', header: 'Card expires', align: 'right' },
    cell: ({ card_expires }) => (card_expires === null ? unknown : formatMonth(card_expires)),
  },
  {
    ...{ id: 'domain', header: 'Domain expires', align: 'right' },
    cell: ({ domain, domain_expires_at }) =>
      domain_expires_at === null ? (
        unknown
      ) : (
        <span title={domain ?? undefined}>
          <DateTime at={domain_expires_at} show="date" />
        </span>
      ),
  },
  {
    ...{ id: 'uptime', header: 'Uptime', align: 'right' },
    cell: ({ uptime_percent }) => (uptime_percent === null ? unknown : `${formatNumber(uptime_percent, 2)}%`),
  },
  {
    ...{ id: 'traffic', header: 'Traffic', align: 'right' },
    cell: ({ traffic_percent: percent }) =>
      percent === null ? unknown : `${percent > 0 ? '+' : ''}${formatPercent(percent)}`,
  },
]

function nameOf({ customer, customer_id }: Renewal): string {
  return customer ?? customer_id
}

/** Who renews soon, and what speaks against it: the most MRR at risk first. */
export function Renewals({ currency }: { currency: string }) {
  const query = useQuery(renewalsQuery(currency))
  const { data } = query
  return (
    <section className={css['section']} aria-label="Renewal radar">
      <header>
        <h2>Renewal radar</h2>
        <p className={css['note']}>
          {data
            ? `${formatCount(data.count)} renew in the next 30 days with ${formatMoney(data.mrr, data.currency)} a month, ${formatMoney(data.mrr_at_risk, data.currency)} at risk`
            : null}
        </p>
        {data ? <Definitions of="Renewal radar" definitions={data.definitions} /> : null}
        <RenewalsExport currency={currency} />
      </header>
      <ListFailure
        error={query.error}
        what="the renewals"
        at={data ? query.dataUpdatedAt : null}
        onRetry={() => void query.refetch()}
      />
      {data || query.isPending ? (
        <DataTable
          label="Renewal radar"
          columns={columns}
          rows={data?.renewals}
          keyOf={({ subscription_id }) => subscription_id}
          nameOf={nameOf}
          hrefOf={({ subscription_id }) => paths.subscription(subscription_id)}
          empty={<EmptyState text="No renewals in the next 30 days." />}
        />
      ) : null}
    </section>
  )
}
