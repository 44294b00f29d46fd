import { expect, test } from 'vitest'
import { type Edit, impactOf, type Known } from './impact.ts'

const zone = 'harbour.example'
let count = 0
const record = (type: string, host: string, content: string): Known => ({
  ...{ id: `r${count++}`, type, content },
  name: host === '@' ? zone : `${host}.${zone}`,
})

const apex = record('A', '@', '203.0.113.7')
const www = record('CNAME', 'www', zone)
const mx = record('MX', '@', `mail.${zone}`)
const mail = record('A', 'mail', '203.0.113.8')
const spf = record('TXT', '@', '"v=spf1 -all"')
const note = record('TXT', 'note', '"hello"')
const dkim = record('TXT', 's1._domainkey', '"v=DKIM1"')
const dmarc = record('TXT', '_dmarc', '"v=DMARC1"')
const star = record('A', '*', '203.0.113.9')
const shop = record('CNAME', 'shop', `pages.${zone}`)
const pages = record('CNAME', 'pages', 'project.pages.dev')
const delegated = record('NS', 'far', 'ns1.elsewhere.example')
const all = [apex, www, mx, mail, spf, note, dkim, dmarc, star, shop, pages, delegated]

const site = (name: string, domain: string) => ({ id: name, site_name: name, domain, customer_name: null })
const sites = [
  site('main', zone),
  site('shop', `shop.${zone}`),
  site('blog', `blog.${zone}`),
  site('far', `a.far.${zone}`),
]

const removal = (before: Known): Edit => ({ before, after: null })

test.each<[string, Edit, string[]]>([
  ['the apex serves the site itself, and www through its alias', removal(apex), ['main']],
  ['www of a site is the site too', removal(www), ['main']],
  ['an alias on the way', removal(pages), ['shop']],
  ['the alias itself', removal(shop), ['shop']],
  ['a wildcard answers for names without records', removal(star), ['blog']],
  ['what is delegated is served through its name servers', removal(delegated), ['far']],
  ['a mail server serves no site', removal(mail), []],
  ['a record to come takes over a name', { before: null, after: record('A', 'blog', '203.0.113.1') }, ['blog']],
  ['a new target', { before: shop, after: { ...shop, content: 'x.example' } }, ['shop']],
])('sites: %s', (_name, edit, expected) => {
  expect(impactOf(edit, zone, all, sites).sites.map(({ id }) => id)).toEqual(expected)
})

test.each<[Known, string | null]>([
  [mx, 'mx'],
  [mail, 'mail_host'],
  [spf, 'spf'],
  [dkim, 'dkim'],
  [dmarc, 'dmarc'],
  [note, null],
  [www, null],
])('mail depends on %j: %s', (known, reason) => {
  const expected = reason === null ? [] : [{ domain: zone, reason }]
  expect(impactOf(removal(known), zone, all, []).mail).toEqual(expected)
})

test('a name is orphaned by its last record, moved or deleted', () => {
  expect(impactOf(removal(note), zone, all, []).orphaned).toBe(`note.${zone}`)
  expect(impactOf(removal(spf), zone, all, []).orphaned).toBeNull()
  expect(impactOf({ before: note, after: { ...note, name: `other.${zone}` } }, zone, all, []).orphaned).toBe(note.name)
  expect(impactOf({ before: note, after: { ...note, content: 'x' } }, zone, all, []).orphaned).toBeNull()
})

test('a hundred sites are named, all are counted', () => {
  const many = Array.from({ length: 5000 }, (_, n) => site(`s${n}`, `s${n}.${zone}`))
  const { sites: named, sites_total } = impactOf(removal(star), zone, all, many)
  expect([named.length, sites_total]).toEqual([100, 5000])
})

test('aliases that lead back to themselves end', () => {
  const [a, b] = [record('CNAME', 'a', `b.${zone}`), record('CNAME', 'b', `a.${zone}`)]
  expect(impactOf(removal(b), zone, [a, b], [site('a', `a.${zone}`)]).sites).toHaveLength(1)
})
