import type { Address } from '../stripe/types.ts'
import type { Random } from '../world/random.ts'
import type { Member } from './member.ts'
import type { StoryName } from './stories.ts'

const first = [
  'Cedar',
  'Granite',
  'Juniper',
  'Compass',
  'Beacon',
  'Willow',
  'Summit',
  'Riverside',
  'Amber',
  'Maple',
  'Foxglove',
  'Ironwood',
  'Lantern',
  'Meridian',
  'Orchard',
  'Pebble',
  'Quarry',
  'Saltmarsh',
  'Thistle',
  'Windward',
]
const second = [
  'Dental',
  'Books',
  'Plumbing',
  'Architects',
  'Florist',
  'Bakery',
  'Legal',
  'Fitness',
  'Interiors',
  'Roofing',
  'Pediatrics',
  'Gallery',
  'Catering',
  'Optics',
  'Travel',
  'Music School',
  'Garden Centre',
  'Law',
  'Studio',
  'Hardware',
]
const third = ['Co.', 'Group', 'Partners', 'House', 'Works', 'Collective', 'LLC', 'Associates', 'Shop', 'Centre']

/** What becomes of customers beyond the named cast: most stay, some leave, fail or upgrade. */
const fates: [StoryName, number][] = [
  ['steadyStarter', 22],
  ['steadyProfessional', 18],
  ['steadyBusiness', 8],
  ['steadyEnterprise', 2],
  ['yearlyStarter', 8],
  ['yearlyProfessional', 7],
  ['upgraded', 5],
  ['downgraded', 2],
  ['churned', 7],
  ['churnedLate', 6],
  ['recovered', 4],
  ['lostToDunning', 2],
  ['refundedFull', 2],
  ['nonprofit', 2],
  ['growing', 2],
  ['quiet', 3],
]
const total = fates.reduce((sum, [, weight]) => sum + weight, 0)

function fate(random: Random): StoryName {
  let left = random.int(1, total)
  for (const [story, weight] of fates) {
    left -= weight
    if (left <= 0) return story
  }
  return 'steadyStarter'
}

export function anyone(index: number, random: Random, longest = 24): Member {
  const name = `${random.pick(first)} ${random.pick(second)} ${random.pick(third)}`
  const slug = name.toLowerCase().replace(/[^a-z]+/g, '')
  const months = 0.5 + random.next() * (longest - 1)
  return {
    name,
    email: `office@${slug}-${index}.example`,
    story: fate(random),
    months,
    country: random.pick(['US', 'US', 'US', 'CA', 'GB']),
    company: name,
  }
}

const places: Record<string, [city: string, state: string | null, postal: string][]> = {
  US: [
    ['Portland', 'ME', '04101'],
    ['Rockland', 'ME', '04841'],
    ['Burlington', 'VT', '05401'],
    ['Salem', 'MA', '01970'],
  ],
  CA: [['Halifax', 'NS', 'B3H 1A1']],
  GB: [['Whitby', null, 'YO21 3PR']],
  FR: [['Saint-Malo', null, '35400']],
  DE: [['Flensburg', null, '24937']],
  JP: [['東京都渋谷区', null, '150-0001']],
  AE: [['دبي', null, '00000']],
  GR: [['Πειραιάς', null, '185 31']],
}

const streets = ['Commercial Street', 'Pine Street', 'Harbour Road', 'Water Street', 'Lighthouse Lane']

export function addressIn(country: string, random: Random): Address {
  const [city, state, postal] = random.pick(places[country] ?? [['Old Town', null, '00000'] as [string, null, string]])
  return {
    city,
    country,
    line1: `${random.int(1, 240)} ${random.pick(streets)}`,
    line2: null,
    postal_code: postal,
    state,
  }
}
