import type { DemoSite } from '../cloudflare/demo-sites.ts'
import type { Flags } from './flags.ts'
import type { Served } from './types.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const asText = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)

const looks: Record<string, { hue: number; line: string; parts: string[] }> = {
  shop: { hue: 205, line: 'Made by hand, sent with care.', parts: ['Shop', 'Our story', 'Shipping'] },
  portfolio: { hue: 265, line: 'Selected work of the last ten years.', parts: ['Work', 'Studio', 'Contact'] },
  booking: { hue: 175, line: 'Find a time that suits you.', parts: ['Book', 'Prices', 'Find us'] },
  restaurant: { hue: 15, line: 'Open from noon, every day but Monday.', parts: ['Menu', 'Reservations', 'Find us'] },
  nonprofit: { hue: 140, line: 'Together since 1987.', parts: ['What we do', 'Join us', 'Donate'] },
  business: { hue: 220, line: 'Solid work, on time.', parts: ['Services', 'References', 'Contact'] },
  blog: { hue: 330, line: 'Voices from around the bay.', parts: ['Latest', 'Archive', 'About'] },
  landing: { hue: 45, line: 'Something new is on its way.', parts: ['About', 'News', 'Contact'] },
}

const style = (hue: number) => `
  :root { color-scheme: light }
  body { margin: 0; font: 17px/1.6 system-ui, sans-serif; color: #1c2430; background: hsl(${hue} 30% 97%) }
  header, main, footer { max-width: 60rem; margin: auto; padding: 1.5rem }
  nav { display: flex; gap: 1.5rem; flex-wrap: wrap }
  nav b { margin-inline-end: auto }
  .hero { background: hsl(${hue} 45% 26%); color: #fff; padding: 5rem 1.5rem }
  .hero div { max-width: 57rem; margin: auto }
  h1 { font-size: clamp(2rem, 6vw, 3.4rem); line-height: 1.15; margin: 0 0 1rem; overflow-wrap: anywhere }
  .cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)) }
  .cards section { background: #fff; border: 1px solid hsl(${hue} 20% 88%); border-radius: 10px; padding: 1.2rem }
  h2 { font-size: 1.1rem; margin: 0 0 .4rem; color: hsl(${hue} 45% 30%) }
  footer { color: #5a6472; font-size: .85rem }
  code { font-size: .8rem }
  .bar { margin: 0; padding: .6rem 1.5rem; text-align: center; font-size: .9rem; color: #fff; background: hsl(${hue} 60% 34%) }
  .hero.new { background: linear-gradient(120deg, hsl(${hue} 50% 24%), hsl(${(hue + 50) % 360} 45% 34%)) }
  .hero.new h1 { font-style: italic }
`

const frame = (title: string, hue: number, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asText(title)}</title><style>${style(hue)}</style></head><body>${body}</body></html>
`

/** What the sites can show once a flag of that name is on. */
const features = { bar: 'announcement-bar', hero: 'new-hero', contact: 'quick-contact' }

export function sitePage(site: DemoSite, { build, commit, message }: Served, flags: Flags): string {
  const { hue, line, parts } = looks[site.template] ?? looks['landing']!
  const name = asText(site.name)
  const bar = flags.has(features.bar) ? '<p class="bar">This week: 10 % off for everyone who asks.</p>' : ''
  const contact = flags.has(features.contact) ? ['Write to us'] : []
  const cards = [...parts, ...contact]
    .map((part) => `<section><h2>${asText(part)}</h2><p>${asText(line)}</p></section>`)
    .join('')
  const source = commit === null ? '' : ` from <code>${asText(commit.slice(0, 7))}</code> ${asText(message ?? '')}`
  return frame(
    site.name,
    hue,
    `${bar}<header><nav><b dir="auto">${name}</b>${parts.map((part) => `<span>${asText(part)}</span>`).join('')}</nav></header>
<div class="hero${flags.has(features.hero) ? ' new' : ''}"><div><h1 dir="auto">${name}</h1><p>${asText(line)}</p></div></div>
<main class="cards">${cards}</main>
<footer>${asText(site.domain)} · build <code>${asText(build)}</code>${source}</footer>`,
  )
}

export const failurePage = (title: string, text: string) =>
  frame(title, 220, `<main><h1>${asText(title)}</h1><p>${asText(text)}</p></main>`)
