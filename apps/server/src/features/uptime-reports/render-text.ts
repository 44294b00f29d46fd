import { utcText } from '../../platform/day-text.ts'
import { type Report, uptimeOf } from './report.ts'
import { accounting, headlineOf, monthText, msText, outageSpan, percentText, spanText } from './words.ts'

/** What there was none of is left out. */
const spansText = ({ down_seconds, maintenance_seconds, unknown_seconds }: Report['sites'][number]): string =>
  [
    ['down', down_seconds] as const,
    ['maintenance', maintenance_seconds] as const,
    ['unknown', unknown_seconds] as const,
  ]
    .map(([label, seconds]) => (seconds === 0 ? '' : `${label} ${spanText(seconds)}, `))
    .join('')

/** The same figures for a mail. */
export function renderText(report: Report): string {
  const { company, customer, from, sites, outages, incidents, deployments } = report
  const greeting = customer.name === null ? 'Hello,' : `Hello ${customer.name},`
  const deployed = deployments.filter(({ status }) => status === 'success').length
  return [
    greeting,
    `Here is how your websites did in ${monthText(from)}. ${headlineOf(report)}`,
    sites
      .map(
        (site) =>
          `${site.domain}: ${percentText(uptimeOf(site))} uptime, ${spansText(site)}response time ${msText(site.response_ms)}`,
      )
      .join('\n'),
    outages.length === 0
      ? ''
      : [
          'Outages:',
          ...outages.map((outage) => `- ${outage.domain}: ${utcText(outage.from)}, ${outageSpan(report, outage)}`),
        ].join('\n'),
    incidents.length === 0
      ? ''
      : ['Incidents:', ...incidents.map(({ opened_at, words }) => `- ${utcText(opened_at)}: ${words.join(' ')}`)].join(
          '\n',
        ),
    deployed === 0 ? '' : `Deployments: ${deployed}`,
    accounting,
    company,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
