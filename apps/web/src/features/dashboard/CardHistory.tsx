import * as dashboard from '@agency/contract/descriptors/dashboard'
import type { DashboardHistory } from '@agency/contract/types'
import { q } from '../../lib/api.ts'
import { formatCount, formatMoney, formatPercent } from '../../lib/format.ts'
import { Sparkline } from '../../ui/Sparkline.tsx'

export const historyQuery = q(dashboard.getDashboardHistory, {})

type Series = 'sites' | 'subscriptions' | 'revenue' | 'uptime' | 'new_customers'

type Look = {
  label: string
  kind: 'line' | 'bars'
  within?: readonly number[]
  format: (value: number, history: DashboardHistory) => string
}

const looks: Record<Series, Look> = {
  sites: { label: 'Sites by day', kind: 'line', format: formatCount },
  subscriptions: { label: 'Running subscriptions by day', kind: 'line', format: formatCount },
  revenue: { label: 'Revenue by day', kind: 'bars', format: (amount, { currency }) => formatMoney(amount, currency) },
  // A tenth of a percent must not look like an outage.
  uptime: {
    label: 'Uptime by day',
    kind: 'line',
    within: [95, 100],
    format: (percent) => formatPercent(percent, 2),
  },
  new_customers: { label: 'New customers by day', kind: 'bars', format: formatCount },
}

/** The last 30 days of a card's figure; nothing while they load, and for whoever may not see them. */
export function CardHistory({ history, of }: { history: DashboardHistory | undefined; of: Series }) {
  const values = history?.[of]
  if (!history || !values) return null
  const { label, kind, within, format } = looks[of]
  return (
    <Sparkline
      label={`${label}, last ${values.length} days`}
      values={values}
      kind={kind}
      {...(within && { within })}
      format={(value) => format(value, history)}
    />
  )
}
