import type { FigureRow, RevenueFigure } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import type { SearchState } from '../../lib/use-search-state.ts'
import type { reportsSearch } from './reports-search.ts'

type Href = SearchState<typeof reportsSearch>['hrefFor']

/** Opens the rows behind a figure. */
export const rowsHref =
  (hrefFor: Href) =>
  (
    figure: RevenueFigure,
    currency: string,
    { month = '', site = '' }: { month?: string; site?: string } = {},
  ): string =>
    hrefFor({ figure, of: currency, month, more: site, rows: null })

export type RowsHref = ReturnType<typeof rowsHref>

/** Where a row leads. */
export function hrefOfRow({ opens }: Pick<FigureRow, 'opens'>): string | undefined {
  if (!opens) return undefined
  const { kind, id } = opens
  if (kind === 'payment') return paths.payment(id)
  if (kind === 'subscription') return paths.subscription(id)
  return kind === 'customer' ? paths.customer(id) : undefined
}

export const figureNames: Record<RevenueFigure, string> = {
  revenue: 'Revenue',
  gross: 'Gross',
  refunds: 'Refunds',
  disputes: 'Lost disputes',
  tax: 'Tax',
  fees: 'Stripe fees',
  settled_net: 'Settled net',
  new: 'New MRR',
  expansion: 'Expansion',
  reactivation: 'Reactivation',
  contraction: 'Contraction',
  churn: 'Churned MRR',
  mrr: 'MRR',
  committed: 'Committed MRR',
  past_due: 'Past-due MRR',
  deferred: 'Deferred revenue',
  site_revenue: 'Revenue of a site',
}
