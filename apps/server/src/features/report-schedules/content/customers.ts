import type { ChurnCause } from '@agency/contract/reports-customers'
import type { RequestContext } from '../../../context.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { getCustomers } from '../../reports/index.ts'
import type { Block, Figure } from '../render/mail.ts'
import { countText, figureOf, percentText } from './words.ts'

const causeNames: Record<ChurnCause, string> = {
  failed_card: 'Failed card',
  price: 'Price',
  outage: 'Outage',
  never_launched: 'Never launched',
  unknown: 'Unknown cause',
}

type MoneyFigure = { amount: number | null; currency: string; reason: string | null }

const moneyFigure = (label: string, { amount, currency, reason }: MoneyFigure): Figure => ({
  label,
  value: amount === null ? 'Unknown' : moneyText(amount, currency),
  note: amount === null ? reason : null,
})

export async function customerBlocks(
  ctx: RequestContext,
  { first, last }: { first: string; last: string },
  timeZone: string,
): Promise<Block[]> {
  const report = await getCustomers(ctx, {
    ...{ range: 'custom', from: first, to: last, compare: 'previous', time_zone: timeZone },
  })
  const { currency, segments, churn } = report
  const money = (amount: number) => moneyText(amount, currency)
  return [
    ...(report.as_of === null
      ? [{ kind: 'note' as const, text: 'The import from Stripe is not complete: customers and money may be missing.' }]
      : []),
    {
      ...{ kind: 'figures', title: null },
      figures: [
        figureOf('Paying customers', report.paying_customers, { format: countText }),
        figureOf('Churn rate', report.churn_rate, { format: percentText }),
        moneyFigure('ARPA', report.arpa),
        moneyFigure('LTV', report.ltv),
      ],
    },
    {
      ...{ kind: 'table', title: 'Customer segments', head: ['Segment', 'Customers', 'Revenue', 'Percentage'] },
      rows: segments.map(({ segment, count, revenue, percentage }) => [
        ...[segment, countText(count), money(revenue), percentage === null ? '—' : percentText(percentage)],
      ]),
      none: 'No subscribed customers.',
    },
    {
      ...{ kind: 'table', title: 'Why customers left', head: ['Likely cause', 'Customers', 'MRR lost'] },
      rows: churn.causes
        .filter(({ customers }) => customers > 0)
        .map(({ cause, customers, mrr }) => [causeNames[cause], countText(customers), money(mrr)]),
      none: 'No customers left in this range.',
    },
  ]
}
