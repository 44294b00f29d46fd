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
  net: 'Revenue less fees',
  settled_charges: 'Settled charges',
  settled_refunds: 'Settled refunds',
  settled_disputes: 'Settled disputes',
  settled_other: 'Other settlements',
  settled_net: 'Settled net',
  start: 'MRR at the start',
  new: 'New MRR',
  expansion: 'Expansion',
  reactivation: 'Reactivation',
  contraction: 'Contraction',
  churn: 'Churned MRR',
  end: 'MRR at the end',
  mrr: 'MRR',
  committed: 'Committed MRR',
  past_due: 'Past-due MRR',
  deferred: 'Deferred revenue',
  deferred_start: 'Deferred at the start',
  deferred_added: 'Newly deferred',
  deferred_recognized: 'Recognized from deferred',
  site_revenue: 'Revenue of a site',
}
