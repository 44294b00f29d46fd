import { completeSession, type NewSession, openSession } from '../stripe/rules/checkout.ts'
import type { Customer, PaymentMethod } from '../stripe/types.ts'
import type { Random } from '../world/random.ts'
import type { World } from '../world/world.ts'
import type { Catalogue } from './catalogue.ts'

const words = ['harbour', 'pine', 'tide', 'anchor', 'cove', 'heron', 'spruce', 'dune', 'ferry', 'mussel']
const trades = ['bakery', 'dental', 'law', 'studio', 'cafe', 'clinic', 'books', 'yoga', 'tours', 'garage']

const titled = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What was built for an order and where it is online. */
export type BuiltSite = { name: string; domain: string }

/**
 * A visitor orders a site: what they chose travels as metadata, written by the shop's own page. Once the site is online the
 * shop writes its address there too.
 */
export function anyOrder(
  random: Random,
  catalogue: Catalogue,
  customer: Customer | null,
  built?: BuiltSite,
): NewSession {
  const word = random.pick(words)
  const trade = random.pick(trades)
  const business = built?.name ?? `${titled(word)} ${titled(trade)}`
  const years = random.pick([1, 1, 2, 3])
  const hasSecond = random.chance(0.35)
  const first = built?.domain ?? `${word}${trade}.example`
  const second = built ? `www-${built.domain}` : `${word}-${trade}.example`
  const domains = hasSecond ? [first, second] : [first]
  const european = customer?.currency === 'eur'
  const build = european ? 'build.eur' : random.pick(['build.basic', 'build.standard', 'build.standard', 'build.shop'])
  const lines = [{ price: catalogue.prices[build]!, quantity: 1, description: `Website for ${business}` }]
  const hosting = catalogue.prices[european ? 'hosting.eur' : `hosting.${years}`]!
  lines.push({
    price: hosting,
    quantity: european ? years : 1,
    description: `Hosting, ${years} year${years > 1 ? 's' : ''}`,
  })
  if (!european) {
    lines.push({ price: catalogue.prices['domain']!, quantity: domains.length, description: domains.join(', ') })
  }
  return {
    customer,
    email: customer?.email ?? `owner@${word}${trade}.example`,
    name: customer?.name ?? business,
    lines,
    metadata: {
      site_id: `site_${random.text(10, '0123456789abcdefghijklmnopqrstuvwxyz')}`,
      site_name: business,
      business_name: business,
      selected_domains: domains.join(','),
      hosting_years: String(years),
      ...(built && { production_url: `https://${built.domain}/` }),
    },
  }
}

/** The shop puts a site online from a template at once, under the first domain that was chosen, and writes its address. */
export function online(order: NewSession): NewSession {
  const [domain] = order.metadata['selected_domains']?.split(',') ?? []
  return { ...order, metadata: { ...order.metadata, production_url: `https://${domain}/` } }
}

export type OrderEnd = 'paid' | 'open' | 'expired' | 'failed'

/** The order of one moment; an expired one was opened a day before. */
export async function placeOrder(
  world: World,
  order: NewSession,
  method: PaymentMethod,
  end: OrderEnd,
): Promise<string> {
  const session = openSession(world, order)
  if (end === 'paid' || end === 'failed') await completeSession(world, session.id, method)
  return session.id
}
