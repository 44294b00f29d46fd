import { type Report, uptimeOf } from './report.ts'
import { accounting, headlineOf, minuteText, monthText, msText, outageSpan, percentText, spanText } from './words.ts'

/** The same figures for a mail. */
export function renderText(report: Report): string {
  const { company, customer, from, sites, outages, incidents, deployments } = report
  const greeting = customer.name === null ? 'Hello,' : `Hello ${customer.name},`
  const deployed = deployments.filter(({ status }) => status === 'success').length
  return [
    greeting,
    `this is how your websites did in ${monthText(from)}. ${headlineOf(report)}`,
    sites
      .map(
        (site) =>
          `${site.domain}: ${percentText(uptimeOf(site))} uptime, down ${spanText(site.down_seconds)}, maintenance ${spanText(site.maintenance_seconds)}, unknown ${spanText(site.unknown_seconds)}, response time ${msText(site.response_ms)}`,
      )
      .join('\n'),
    outages.length === 0
      ? ''
      : [
          'Outages:',
          ...outages.map((outage) => `- ${outage.domain}: ${minuteText(outage.from)}, ${outageSpan(report, outage)}`),
        ].join('\n'),
    incidents.length === 0
      ? ''
      : [
          'Incidents:',
          ...incidents.map(({ opened_at, words }) => `- ${minuteText(opened_at)}: ${words.join(' ')}`),
        ].join('\n'),
    deployed === 0 ? '' : `Deployments: ${deployed}`,
    accounting,
    company,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
