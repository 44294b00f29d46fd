import { utcText } from '../../platform/day-text.ts'
import { type Html, html, pageOf } from '../../platform/html.ts'
import { type Report, totalOf, uptimeOf } from './report.ts'
import { accounting, headlineOf, msText, outageSpan, percentText, spanText, titleOf } from './words.ts'

const styles = `
:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;background:#fff;color:#1f2430;font:14px/1.5 system-ui,sans-serif}
main{max-width:900px;margin:0 auto;padding:32px 16px}
h1{margin:0;font-size:1.5rem;overflow-wrap:anywhere}
h2{margin:28px 0 8px;font-size:1.125rem}
p{margin:4px 0}
.muted{color:#565e6e}
.lead{margin:16px 0;font-size:1.125rem;font-weight:600}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid #d9dde5;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:600;overflow-wrap:normal}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:599px){table{font-size:12px}th,td{padding-right:6px}}
@page{margin:16mm}
@media print{main{max-width:none;padding:0}tr,article{break-inside:avoid}h2{break-after:avoid}}
`

type Row = readonly (string | Html)[]

const table = (heads: readonly string[], rows: readonly Row[]): Html =>
  html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`

const section = (title: string, rows: readonly unknown[], none: string, content: () => Html): Html =>
  html`<section><h2>${title}</h2>${rows.length === 0 ? html`<p class="muted">${none}</p>` : content()}</section>`

/** A page that prints, without scripts. */
export function renderHtml(report: Report): string {
  const { company, customer, sites, outages, incidents, deployments } = report
  return pageOf({
    title: titleOf(report),
    styles,
    body: html`<main>
<header><p class="muted">${company}</p><h1>${titleOf(report)}</h1><p>${customer.name ?? customer.email ?? customer.id}</p></header>
<p class="lead">${headlineOf(report)}</p>
${report.isRunning ? html`<p class="muted">Month in progress: figures until ${utcText(report.to)}.</p>` : null}
${section('Sites', sites, 'No sites were monitored.', () =>
  table(
    ['Site', 'Uptime', 'Down', 'Maintenance', 'Unknown', 'Response time (median)'],
    sites.map((site) => [
      site.domain,
      percentText(uptimeOf(site)),
      spanText(site.down_seconds),
      spanText(site.maintenance_seconds),
      spanText(site.unknown_seconds),
      msText(site.response_ms),
    ]),
  ),
)}
<p class="muted">${accounting}</p>
${section('Outages', outages, uptimeOf(totalOf(sites)) === null ? 'Unknown.' : 'No outages.', () =>
  table(
    ['Site', 'Noticed', 'Over', 'Duration'],
    outages.map((outage) => [
      outage.domain,
      utcText(outage.from),
      outage.to === null ? 'ongoing' : utcText(outage.to),
      outageSpan(report, outage),
    ]),
  ),
)}
${section(
  'Incidents',
  incidents,
  'Nothing to report.',
  () =>
    html`${incidents.map(
      ({
        opened_at,
        resolved_at,
        words,
      }) => html`<article><h3>${utcText(opened_at)} &ndash; ${resolved_at === null ? 'ongoing' : utcText(resolved_at)}</h3>
${words.map((text) => html`<p class="text">${text}</p>`)}</article>`,
    )}`,
)}
${section('Deployments', deployments, 'No deployments.', () =>
  table(
    ['Site', 'When', 'Version', 'Result'],
    deployments.map(({ domain, at, version, status }) => [
      domain,
      utcText(at),
      version ?? '',
      status === 'success' ? 'Deployed' : 'Failed',
    ]),
  ),
)}
</main>`,
  })
}
