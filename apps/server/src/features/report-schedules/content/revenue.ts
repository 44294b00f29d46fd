import type { ResponseOf } from '@agency/contract/endpoint'
import type { getRevenueReport } from '@agency/contract/reports-revenue'
import type { RequestContext } from '../../../context.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { getRevenue } from '../../reports/index.ts'
import type { Block, Figure } from '../render/mail.ts'
import { countText, durationText, figureOf, minus, orUnknown, percentText } from './words.ts'

type Report = ResponseOf<typeof getRevenueReport>

const topSites = 5
const movements = ['new', 'expansion', 'reactivation', 'contraction', 'churn'] as const
const names = {
  ...{ new: 'New', expansion: 'Expansion', reactivation: 'Reactivation' },
  ...{ contraction: 'Contraction', churn: 'Churn' },
}

function headline({ headline: figures, currency, by_currency }: Report): Figure[] {
  const money = (code: string) => (amount: number) => moneyText(amount, code)
  const others = by_currency.filter((one) => one.currency !== currency)
  return [
    figureOf('Total revenue', figures.total_revenue, { format: money(currency) }),
    figureOf('Active subscriptions', figures.active_subscriptions, { format: countText }),
    figureOf('Total sites', figures.total_sites, { format: countText }),
    figureOf('Average response time', figures.avg_response_time, { format: durationText }),
    ...others.map((one) =>
      figureOf(`Revenue in ${one.currency.toUpperCase()}`, one.revenue, { format: money(one.currency) }),
    ),
  ]
}

/** The months of the range together; each is cut where the range begins and ends. */
function bridgeRows({ currency, months }: Report['bridges'][number]): string[][] {
  const sum = (name: (typeof movements)[number]) => months.reduce((total, month) => total + month[name], 0)
  const isLoss = (name: string) => name === 'contraction' || name === 'churn'
  const money = (amount: number) => moneyText(amount, currency)
  return [
    ['At the start', money(months[0]?.start ?? 0)],
    ...movements.map((name) => [names[name], money(isLoss(name) ? minus(sum(name)) : sum(name))]),
    ['At the end', money(months.at(-1)?.end ?? 0)],
  ]
}

const bridges = ({ bridges: all }: Report): Block[] =>
  all.map((bridge) => ({
    ...{ kind: 'table', title: all.length === 1 ? 'MRR' : `MRR in ${bridge.currency.toUpperCase()}` },
    ...{ head: ['Movement', 'Amount'], rows: bridgeRows(bridge), none: 'No MRR in this range.' },
  }))

const netRows = ({ currency, gross, refunds, disputes, revenue, tax, fees, net }: Report['gross_to_net'][number]) => {
  const money = (amount: number) => moneyText(amount, currency)
  return [
    ['Gross', money(gross)],
    ['Refunds', money(minus(refunds))],
    ['Disputes', money(minus(disputes))],
    ['Revenue', money(revenue)],
    ['Tax, part of gross', money(tax)],
    ['Stripe fees', orUnknown(fees.amount, (amount) => money(minus(amount)))],
    ['Net', orUnknown(net.amount, money)],
  ]
}

const grossToNet = ({ gross_to_net: all }: Report): Block[] =>
  all.flatMap((one): Block[] => [
    {
      ...{ kind: 'table', title: all.length === 1 ? 'Gross to net' : `Gross to net in ${one.currency.toUpperCase()}` },
      ...{ head: ['Part', 'Amount'], rows: netRows(one), none: '' },
    },
    ...(one.fees.reason === null ? [] : [{ kind: 'note' as const, text: one.fees.reason }]),
  ])

const sites = ({ top_sites }: Report): Block => ({
  ...{ kind: 'table', isWide: true, title: 'Top performing sites', head: ['Site', 'Visits', 'Revenue', 'Conversion'] },
  rows: top_sites
    .slice(0, topSites)
    .map(({ domain, visits, revenue, currency, conversion_rate }) => [
      domain,
      orUnknown(visits, countText),
      moneyText(revenue, currency),
      orUnknown(conversion_rate, (rate) => percentText(rate, 2)),
    ]),
  none: 'No revenue from sites in this range.',
})

const age = ({ as_of }: Report): Block[] =>
  as_of === null ? [{ kind: 'note', text: 'The import from Stripe is not complete: money may be missing.' }] : []

export async function revenueBlocks(
  ctx: RequestContext,
  { first, last }: { first: string; last: string },
  timeZone: string,
): Promise<Block[]> {
  const report = await getRevenue(ctx, {
    ...{ range: 'custom', from: first, to: last, compare: 'previous', time_zone: timeZone },
  })
  return [
    ...age(report),
    { kind: 'figures', title: null, figures: headline(report) },
    ...bridges(report),
    ...grossToNet(report),
    sites(report),
  ]
}
