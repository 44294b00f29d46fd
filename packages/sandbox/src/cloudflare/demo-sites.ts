import { cast } from '../seed/cast.ts'
import type { Member } from '../seed/member.ts'

export type SiteBehaviour =
  | 'ok'
  | 'slow'
  | 'crawling'
  | 'failing'
  | 'flapping'
  | 'redirect_loop'
  | 'reset'
  | 'endless_body'
  | 'expiring_certificate'
  | 'expired_certificate'
  | 'wrong_name_certificate'
  | 'self_signed_certificate'

export type DemoSite = {
  name: string
  /** The first label of the domain; the hosting serves it as `<label>.localhost`. */
  label: string
  domain: string
  /** The owner's place in the cast. */
  member: number
  provider: 'pages' | 'hook'
  /** The Pages project; a site that is built by a deploy hook has none. */
  project: string | null
  template: string
  behaviour: SiteBehaviour
  /** How the builds of this site end from now on. */
  builds: 'ok' | 'failing'
}

type Line = [member: number, label: string, name: string, template: string, more?: Partial<DemoSite>]

const lines: Line[] = [
  [0, 'cascobaycoffee', 'Casco Bay Coffee Roasters', 'shop'],
  [0, 'cascobaywholesale', 'Casco Bay Wholesale', 'shop', { provider: 'hook' }],
  [1, 'atelierdelacroix', 'Atelier Delacroix', 'portfolio'],
  [2, 'mueller-luedenscheidt', 'Zahnarztpraxis Müller-Lüdenscheidt', 'booking'],
  [3, 'oldportbikes', 'Old Port Bicycle Works', 'shop', { provider: 'hook' }],
  [4, 'xn--y8jl1nu836ajfa', 'さくら設計', 'portfolio', { project: 'sakura-sekkei' }],
  [5, 'nakheel-books', 'مكتبة النخيل', 'shop', { behaviour: 'slow' }],
  [6, 'aegeansails', 'Aegean Sails', 'booking'],
  [7, 'sokolova-ceramics', 'Студия Соколовой', 'portfolio', { behaviour: 'expiring_certificate' }],
  [8, 'foghorn-restorers', 'Foghorn Restorers of Maine', 'nonprofit'],
  [9, 'bobbytables', '<img src=x onerror=alert(1)>', 'landing'],
  [10, 'spreadsheet', '=HYPERLINK("https://evil.example","Click")', 'landing', { provider: 'hook' }],
  [12, 'lobsterandco', '🦞 Lobster & Co. 🌊', 'restaurant'],
  [13, 'northfieldvet', 'Northfield Veterinary Clinic', 'booking'],
  [13, 'northfieldpets', 'Northfield Pet Shop', 'shop', { behaviour: 'flapping' }],
  [14, 'orourkeproperties', 'O’Rourke Properties', 'business', { provider: 'hook' }],
  [15, 'tidewateryoga', 'Tidewater Yoga', 'booking', { behaviour: 'expired_certificate' }],
  [16, 'harborviewmontessori', 'Harborview Montessori School', 'nonprofit'],
  [17, 'gmavila', 'Grupo Médico Ávila', 'booking'],
  [18, 'brunswicklaw', 'Brunswick Law Partners', 'business'],
  [19, 'wisniewski-foto', 'Wiśniewski Fotografia', 'portfolio', { builds: 'failing' }],
  [20, 'kennebectimber', 'Kennebec Timber Frames', 'business'],
  [21, 'phomaine', 'Phở Maine', 'restaurant', { provider: 'hook' }],
  [22, 'smithjones', 'Smith, Jones & "Partners"', 'business'],
  [23, 'monheganferry', 'Monhegan Island Ferry', 'booking', { behaviour: 'failing' }],
  [24, 'pinecrestdental', 'Pinecrest Dental', 'booking'],
  [25, 'fjordkeramikk', 'Fjord Keramikk', 'shop'],
  [26, 'acadiakayak', 'Acadia Kayak Tours', 'booking'],
  [27, 'wiscassetantiques', 'Wiscasset Antiques', 'shop', { behaviour: 'redirect_loop' }],
  [28, 'blueberrybarrens', 'Blueberry Barrens Farm', 'business'],
  [29, 'ferrarigelato', 'Ferrari Gelato', 'restaurant', { provider: 'hook' }],
  [30, 'portlandcollective', 'Portland Print Collective', 'shop'],
  [31, 'seabright', 'Seabright Insurance', 'business', { behaviour: 'wrong_name_certificate' }],
  [33, 'mooseheadoutfitters', 'Moosehead Outfitters', 'shop'],
  [34, 'camdenplayers', 'Camden Chamber Players', 'nonprofit'],
  [36, 'ogunquitbeachhouse', 'Ogunquit Beach House', 'booking'],
  [38, 'barharborbrewing', 'Bar Harbor Brewing', 'restaurant', { provider: 'hook' }],
  [39, 'katahdinclimbing', 'Katahdin Climbing Gym', 'booking'],
  [42, 'belfastradio', 'Belfast Community Radio', 'blog', { behaviour: 'slow' }],
  [48, 'bangorbooks', 'Bangor Book Exchange', 'shop'],
  [53, 'damariscottaoysters', 'Damariscotta Oyster Bar', 'restaurant'],
  [55, 'sardinemuseum', 'Eastport Sardine Museum', 'nonprofit', { provider: 'hook' }],
]

/** The customers' sites: all their zones are at Cloudflare, most are Pages projects, some are built by a deploy hook. */
export const demoSites: readonly DemoSite[] = lines.map(([member, label, name, template, more]) => {
  const site = { name, label, domain: `${label}.example`, member, template, behaviour: 'ok', builds: 'ok' } as const
  const made: DemoSite = { ...site, provider: 'pages', project: label, ...more }
  return made.provider === 'hook' ? { ...made, project: null } : made
})

/** The sites of a world with so many customers. */
export const demoSitesOf = (customers: number) => demoSites.filter(({ member }) => member < customers)

export function ownerOf(site: DemoSite): Member {
  const owner = cast[site.member]
  if (!owner) throw new Error(`The cast has no member ${site.member}`)
  return owner
}
