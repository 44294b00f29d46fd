import type { ProfitTotals, UsageMetric } from '@agency/contract/reports-usage'
import type { RequestContext } from '../../../context.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { getUsage, listUsageSites } from '../../usage-reports/index.ts'
import type { Block, Figure } from '../render/mail.ts'
import { bytesText, countText, figureOf, minus, minutesText, orUnknown, percentText, pointsText } from './words.ts'

const formats: Record<UsageMetric['unit'], (value: number) => string> = {
  count: countText,
  bytes: bytesText,
  percent: percentText,
  minutes: minutesText,
}

/** The difference of two shares is in points. */
function metricFigure(
  { key, metric, unit, current, previous, change, reason, known_days }: UsageMetric,
  days: number,
): Figure {
  const format = formats[unit]
  const compared = { current, compared: previous, percent: unit === 'percent' ? null : change, reason }
  const figure = figureOf(metric, compared, { format })
  const points = unit === 'percent' && change !== null ? `${change > 0 ? '+' : ''}${pointsText(change)}` : null
  const gap =
    current !== null && known_days !== null && known_days < days ? `${known_days} of ${days} days known` : null
  const note = [points, key === 'storage' && current !== null ? 'now' : figure.note, gap]
  return { ...figure, note: note.filter((part) => part !== null).join(', ') || null }
}

function profitBlock({ currency, price, fees, refunds, hosting, margin }: ProfitTotals, isOnly: boolean): Block {
  const money = (amount: number) => moneyText(amount, currency)
  return {
    ...{ kind: 'table', title: isOnly ? 'Profit' : `Profit in ${currency.toUpperCase()}`, head: ['Part', 'Amount'] },
    rows: [
      ['Charged', money(price)],
      ['Stripe fees', money(minus(fees))],
      ['Refunds', money(minus(refunds))],
      ['Hosting', orUnknown(hosting, (amount) => money(minus(amount)))],
      ['Margin', orUnknown(margin, money)],
    ],
    none: '',
  }
}

/** Days are UTC, as Cloudflare keeps them. Money is there for those who may see it. */
export async function usageBlocks(
  ctx: RequestContext,
  { first, last }: { first: string; last: string },
): Promise<Block[]> {
  const range = { range: 'custom', from: first, to: last, compare: 'previous' } as const
  const { metrics, days } = await getUsage(ctx, range)
  const list = { ...range, show: 'all', sort: '-bandwidth', limit: 1, offset: 0 } as const
  const { profit, profit_reason, hosting_reason } = await listUsageSites(ctx, list)
  const money: Block[] =
    profit === null || profit.length === 0
      ? [
          {
            kind: 'words',
            title: 'Profit',
            paragraphs: [profit_reason ?? 'No Stripe transactions in this range.'],
          },
        ]
      : profit.map((totals) => profitBlock(totals, profit.length === 1))
  const isPartly = profit?.some(({ hosting }) => hosting === null) ?? false
  return [
    { kind: 'figures', title: null, figures: metrics.map((metric) => metricFigure(metric, days)) },
    ...money,
    ...(isPartly
      ? [
          {
            kind: 'note' as const,
            text: `Margin is unknown: ${hosting_reason ?? 'the rates are in another currency'}.`,
          },
        ]
      : []),
  ]
}
