import { type Character, chance } from './traffic.ts'

export type Share = { value: string | number; share: number }

const paths = [
  '/',
  '/assets/site.css',
  '/assets/site.js',
  '/favicon.ico',
  '/contact',
  '/about',
  '/services',
  '/images/hero.webp',
  '/blog/',
  '/wp-login.php',
  '/robots.txt',
  '/prices',
  '/search?q=<script>alert(1)</script>',
  '/.env',
]
const countries = ['US', 'CA', 'GB', 'DE', 'FR', 'PL', 'NL', 'IN', 'BR', 'CN', 'JP', 'T1', 'XX']
const statuses: [number, number][] = [
  [200, 0.86],
  [304, 0.05],
  [301, 0.035],
  [404, 0.03],
  [403, 0.012],
  [499, 0.004],
  [500, 0.003],
  [522, 0.002],
]

/** Falls off as the ranks of real sites do; the order differs from zone to zone. */
function ranked(values: readonly string[], { salt }: Character, own: number): Share[] {
  const weights = values.map((value, rank) => ({
    value,
    share: (0.6 + chance(salt + own, rank) * 0.8) / (rank + 1) ** 1.2,
  }))
  const sum = weights.reduce((total, { share }) => total + share, 0)
  return weights.map(({ value, share }) => ({ value, share: share / sum }))
}

export const shareNames = ['clientRequestPath', 'clientCountryName', 'edgeResponseStatus'] as const
export type ShareName = (typeof shareNames)[number]

export function sharesOf(name: ShareName, character: Character): Share[] {
  if (name === 'clientRequestPath') return ranked(paths, character, 11)
  if (name === 'clientCountryName') return ranked(countries, character, 12)
  return statuses.map(([value, share]) => ({ value, share }))
}
