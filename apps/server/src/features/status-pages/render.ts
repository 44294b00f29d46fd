import type { UptimeDay } from '@agency/contract/monitoring'
import { utcText } from '../../platform/day-text.ts'
import { type Html, html, pageOf } from '../../platform/html.ts'
import { styles } from './styles.ts'

export type PublicState = 'up' | 'degraded' | 'down' | 'maintenance' | 'unknown'

export type PublicSite = { label: string; state: PublicState; days: readonly UptimeDay[]; uptime: number | null }

export type PublicIncident = {
  opened_at: string
  labels: readonly string[]
  updates: readonly { at: string; text: string }[]
}

export type PublicPage = { title: string; at: Date; sites: readonly PublicSite[]; incidents: readonly PublicIncident[] }

const dayMs = 86_400_000
const shownDays = 90

const words: Record<PublicState, string> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  maintenance: 'Maintenance',
  unknown: 'Unknown',
}

/** Rounded down, so that an outage never reads as none. */
const percentText = (percent: number): string => `${(Math.floor(percent * 100) / 100).toFixed(2)}%`

function headline(sites: readonly PublicSite[]): { state: PublicState; text: string } {
  const count = (state: PublicState) => sites.filter((site) => site.state === state).length
  if (sites.length === 0) return { state: 'unknown', text: 'No sites are shown here' }
  const down = count('down')
  if (down > 0) return { state: 'down', text: down === sites.length ? 'All sites are down' : 'Some sites are down' }
  if (count('degraded') > 0) return { state: 'degraded', text: 'Some sites are degraded' }
  if (count('unknown') === sites.length) return { state: 'unknown', text: 'The state of the sites is unknown' }
  if (count('maintenance') > 0) return { state: 'maintenance', text: 'Maintenance in progress' }
  return { state: 'up', text: count('unknown') > 0 ? 'All known sites are up' : 'All sites are up' }
}

type Bar = { day: string; tone: 'up' | 'degraded' | 'down' | 'none'; text: string }

const minutesText = (seconds: number): string => {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function barOf(day: string, found: UptimeDay | undefined): Bar {
  if (!found || found.known_seconds === 0) {
    const text = found && found.maintenance_seconds > 0 ? 'maintenance' : 'unknown'
    return { day, tone: 'none', text }
  }
  if (found.down_seconds > 0) return { day, tone: 'down', text: `${minutesText(found.down_seconds)} down` }
  if (found.degraded_seconds > 0)
    return { day, tone: 'degraded', text: `${minutesText(found.degraded_seconds)} degraded` }
  return { day, tone: 'up', text: 'no downtime' }
}

function barsOf(days: readonly UptimeDay[], at: Date): Bar[] {
  const byDay = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: shownDays }, (_, index) => {
    const day = new Date(at.getTime() - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10)
    return barOf(day, byDay.get(day))
  })
}

const barWidth = 4
const barStep = 6

function barsHtml(label: string, bars: readonly Bar[]): Html {
  const bad = bars.filter(({ tone }) => tone === 'down').length
  const name = `${label}: the last ${shownDays} days, ${bad === 0 ? 'no downtime' : `downtime on ${bad} of them`}`
  const rects = bars.map(
    ({ day, tone, text }, index) =>
      html`<rect class="${tone}" x="${index * barStep}" width="${barWidth}" height="28" rx="1"><title>${day}: ${text}</title></rect>`,
  )
  return html`<svg role="img" aria-label="${name}" viewBox="0 0 ${shownDays * barStep} 28" preserveAspectRatio="none">${rects}</svg>`
}

const siteHtml = ({ label, state, days, uptime }: PublicSite, at: Date): Html => html`<li>
<div class="row"><h3>${label}</h3><span class="state ${state}">${words[state]}</span></div>
${barsHtml(label, barsOf(days, at))}
<div class="row small"><span>${shownDays} days ago</span><span>${uptime === null ? 'Uptime unknown' : `${percentText(uptime)} uptime`}</span><span>Today</span></div>
</li>`

const incidentHtml = ({ opened_at, labels, updates }: PublicIncident): Html => html`<article>
<h3>Problem with ${labels.join(', ')}</h3>
<p class="small">Since ${utcText(opened_at)}</p>
<ol>${updates.map(({ at, text }) => html`<li><p class="small">${utcText(at)}</p><p class="text">${text}</p></li>`)}</ol>
</article>`

/** Only what it is given: labels, states, and public words. */
export function renderPage({ title, at, sites, incidents }: PublicPage): string {
  const { state, text } = headline(sites)
  const active =
    incidents.length > 0
      ? html`<section aria-labelledby="incidents"><h2 id="incidents">Active incidents</h2>${incidents.map(incidentHtml)}</section>`
      : null
  return pageOf({
    title,
    styles,
    body: html`<main>
<h1>${title}</h1>
<p class="headline ${state}">${text}</p>
${active}
<section aria-labelledby="sites"><h2 id="sites">Sites</h2><ul class="sites">${sites.map((site) => siteHtml(site, at))}</ul></section>
<footer class="small">As of ${utcText(at)}. Uptime = 1 &minus; confirmed downtime &divide; (time &minus; maintenance &minus; unknown).</footer>
</main>`,
  })
}
