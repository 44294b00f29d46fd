import type { RequestContext } from '../../../context.ts'
import { moneyText } from '../../../platform/money-text.ts'
import { findHome } from '../../reports/index.ts'
import { findTrafficOf } from '../../system-analytics/index.ts'
import {
  findSpanReport,
  outageSpan,
  type SpanReport,
  spanText,
  totalOf,
  uptimeOf,
  uptimeText,
} from '../../uptime-reports/index.ts'
import { type Days, spanOf } from '../due-times.ts'
import { findInvoices, type ReportedInvoice } from '../queries/invoices.ts'
import type { Block } from '../render/mail.ts'
import { countText, dateText, durationText, orUnknown, timeText } from './words.ts'

const mostRows = 20

const invoiceStates: Record<string, string> = {
  paid: 'Paid',
  open: 'Due',
  void: 'Void',
  uncollectible: 'Not collected',
}

const more = (rows: readonly unknown[], what: string): Block[] =>
  rows.length <= mostRows ? [] : [{ kind: 'note', text: `The first ${mostRows} of ${countText(rows.length)} ${what}.` }]

function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { none, what }: { none: string; what: string },
): Block[] {
  return [
    { kind: 'table', title, head, rows: rows.slice(0, mostRows), none, isWide: head[0] === 'Website' },
    ...more(rows, what),
  ]
}

function siteBlocks(report: SpanReport, visits: ReadonlyMap<string, { visits: number | null }>): Block[] {
  const { sites } = report
  const rows = sites.map((site) => [
    site.domain,
    orUnknown(uptimeOf(site), uptimeText),
    uptimeOf(site) === null ? 'Unknown' : spanText(site.down_seconds),
    orUnknown(site.response_ms, durationText),
    orUnknown(visits.get(site.id)?.visits ?? null, countText),
  ])
  const sum = (name: 'maintenance_seconds' | 'unknown_seconds') => sites.reduce((total, site) => total + site[name], 0)
  const [maintenance, unknown] = [sum('maintenance_seconds'), sum('unknown_seconds')]
  const spans = [
    ...(maintenance === 0 ? [] : [`maintenance ${spanText(maintenance)}`]),
    ...(unknown === 0 ? [] : [`unknown time ${spanText(unknown)}`]),
  ]
  const left = spans.length === 0 ? '' : `Not counted in uptime: ${spans.join(', ')}. `
  return [
    ...table('Websites', ['Website', 'Uptime', 'Down', 'Response time', 'Visits'], rows, {
      ...{ none: 'No websites were monitored.', what: 'websites' },
    }),
    ...(sites.length === 0 ? [] : [{ kind: 'note' as const, text: `${left}Visits are counted by UTC days.` }]),
  ]
}

function outageBlocks(report: SpanReport, timeZone: string): Block[] {
  const isKnown = uptimeOf(totalOf(report.sites)) !== null
  const rows = report.outages.map((outage) => [
    outage.domain,
    timeText(outage.from, timeZone),
    outage.to === null ? `${outageSpan(report, outage)}, ongoing` : outageSpan(report, outage),
  ])
  return table('Outages', ['Website', 'Noticed', 'Duration'], rows, {
    ...{ none: isKnown ? 'No outages.' : 'Unknown (no checks).', what: 'outages' },
  })
}

function incidentBlocks({ incidents }: SpanReport, timeZone: string): Block[] {
  const paragraphs = incidents
    .slice(0, mostRows)
    .map(({ opened_at, words }) => `${timeText(opened_at, timeZone)}: ${words.join(' ')}`)
  return [
    { kind: 'words', title: 'Incidents', paragraphs: paragraphs.length === 0 ? ['Nothing to report.'] : paragraphs },
    ...more(incidents, 'incidents'),
  ]
}

const deploymentBlocks = ({ deployments }: SpanReport, timeZone: string): Block[] =>
  table(
    'Deployments',
    ['Website', 'Version', 'Result', 'Time'],
    deployments.map(({ domain, at, version, status }) => [
      ...[domain, version ?? '—', status === 'success' ? 'Deployed' : 'Failed', timeText(at, timeZone)],
    ]),
    { none: 'No deployments.', what: 'deployments' },
  )

function invoiceBlocks(invoices: readonly ReportedInvoice[], timeZone: string): Block[] {
  const rows = invoices.map(({ number, created_at, status, amount_due, amount_remaining, currency }) => [
    number ?? 'Without a number',
    dateText(created_at, timeZone),
    moneyText(amount_due, currency),
    status === 'open' && amount_remaining !== amount_due
      ? `${moneyText(amount_remaining, currency)} due`
      : (invoiceStates[status] ?? status),
  ])
  return table('Invoices', ['Invoice', 'Date', 'Amount', 'State'], rows, { none: 'No invoices.', what: 'invoices' })
}

function leadOf({ sites, outages }: SpanReport): string | null {
  if (sites.length === 0) return null
  const count = sites.length === 1 ? 'Your website' : `Your ${countText(sites.length)} websites`
  const uptime = uptimeOf(totalOf(sites))
  if (uptime === null) return `${count}: uptime unknown (no checks).`
  const broken =
    outages.length === 1 ? '1 outage' : `${outages.length === 0 ? 'no' : countText(outages.length)} outages`
  return `${count}: ${uptimeText(uptime)} uptime, ${broken}.`
}

type Answer = { name: string | null; email: string | null; lead: string | null; blocks: Block[] }

/** Everything in it is the customer's own. Invoices need `billing.read` of whoever has it sent. */
export async function customerReport(
  ctx: RequestContext,
  customerId: string,
  { days, timeZone }: { days: Days; timeZone: string },
): Promise<Answer> {
  const span = spanOf(days, timeZone)
  const report = await findSpanReport(ctx, customerId, span)
  const seesMoney = ctx.actor.permissions.has('billing.read')
  const [visits, invoices, { as_of }] = await Promise.all([
    findTrafficOf(
      ctx,
      report.sites.map(({ id }) => id),
      days,
    ),
    seesMoney ? findInvoices(ctx, customerId, span) : [],
    findHome(ctx.pool),
  ])
  const money: Block[] = !seesMoney
    ? []
    : as_of === null
      ? [{ kind: 'words', title: 'Invoices', paragraphs: ['Unknown: invoices are still being imported.'] }]
      : invoiceBlocks(invoices, timeZone)
  return {
    ...{ name: report.customer.name, email: report.customer.email, lead: leadOf(report) },
    blocks: [
      ...siteBlocks(report, visits),
      ...outageBlocks(report, timeZone),
      ...incidentBlocks(report, timeZone),
      ...deploymentBlocks(report, timeZone),
      ...money,
    ],
  }
}
