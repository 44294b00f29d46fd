import { makeCoupon, makePrice, makeProduct, type PriceInput } from '../stripe/objects/catalogue.ts'
import { makeSessionLine } from '../stripe/objects/checkout.ts'
import { makePaymentLink } from '../stripe/objects/payment-link.ts'
import type { Docs, Kind, Price } from '../stripe/types.ts'
import { makeId } from '../world/ids.ts'
import type { Random } from '../world/random.ts'
import type { Entry } from '../world/world.ts'

export type Catalogue = {
  /** By a short name such as `starter.month.eur`. */
  prices: Record<string, Price>
  entries: Entry[]
}

type PlanSpec = {
  key: string
  name: string
  tier: string
  description: string
  usd: { month: number; year: number }
  eur: { month: number; year: number }
  features: string[]
  /** What the plan holds, as the console reads it. */
  limits?: Record<string, string>
}

const plans: PlanSpec[] = [
  {
    key: 'starter',
    name: 'Starter Care',
    limits: { bandwidth_gb: '5', storage_gb: '1' },
    tier: 'starter',
    description: 'Hosting, certificates and monthly updates for one site',
    usd: { month: 2900, year: 29_000 },
    eur: { month: 2700, year: 27_000 },
    features: ['1 site', 'Monthly updates', 'Daily backups'],
  },
  {
    key: 'professional',
    name: 'Professional Care',
    limits: { bandwidth_gb: '25', storage_gb: '5' },
    tier: 'professional',
    description: 'Weekly updates, staging and analytics for a growing site',
    usd: { month: 7900, year: 79_000 },
    eur: { month: 7500, year: 75_000 },
    features: ['3 sites', 'Weekly updates', 'Staging'],
  },
  {
    key: 'business',
    name: 'Business Care',
    limits: { bandwidth_gb: '100', storage_gb: '20' },
    tier: 'business',
    description: 'Shops and booking sites, with a four hour response',
    usd: { month: 14_900, year: 149_000 },
    eur: { month: 13_900, year: 139_000 },
    features: ['10 sites', 'Daily updates', 'Four hour response'],
  },
  {
    key: 'enterprise',
    name: 'Enterprise Care',
    tier: 'enterprise',
    description: 'Dedicated hosting and a named engineer',
    usd: { month: 39_900, year: 399_000 },
    eur: { month: 36_900, year: 369_000 },
    features: ['Unlimited sites', 'Named engineer', 'One hour response'],
  },
]

const addOns: [key: string, name: string, cents: number][] = [
  ['seo', 'Search engine care', 4900],
  ['backup', 'Hourly backups', 1200],
  ['security', 'Security scan', 1900],
  ['cdn', 'Worldwide delivery', 1500],
  ['analytics', 'Visitor analytics', 900],
  ['email', 'Mailboxes', 600],
  ['staging', 'Second staging site', 1100],
  ['priority', 'Priority support', 5900],
  ['translation', 'Translation upkeep', 3500],
  ['accessibility', 'Accessibility audit', 4200],
  ['newsletter', 'Newsletter sending', 1700],
]

const oneOffs: [key: string, name: string, cents: number, currency: string][] = [
  ['build.basic', 'Website build, one page', 89_000, 'usd'],
  ['build.standard', 'Website build, up to eight pages', 249_000, 'usd'],
  ['build.shop', 'Online shop build', 590_000, 'usd'],
  ['build.eur', 'Website build, up to eight pages (Europe)', 229_000, 'eur'],
  ['hosting.1', 'Hosting for 1 year', 18_000, 'usd'],
  ['hosting.2', 'Hosting for 2 years', 33_600, 'usd'],
  ['hosting.3', 'Hosting for 3 years', 46_800, 'usd'],
  ['hosting.eur', 'Hosting for 1 year (Europe)', 16_800, 'eur'],
  ['domain', 'Domain registration', 1900, 'usd'],
  ['workshop.jpy', 'Brand workshop in Tokyo', 180_000, 'jpy'],
]

const opened = (epoch: number) => epoch - 26 * 30 * 86_400

export function makeCatalogue(random: Random, epoch: number): Catalogue {
  const created = opened(epoch)
  const id = (prefix: string) => makeId(prefix, random, created)
  const prices: Record<string, Price> = {}
  const docs: [Kind, Docs[Kind]][] = []
  const product: AddProduct = (name, more) => {
    const doc = makeProduct({
      id: id('prod'),
      created,
      name,
      description: more.description ?? null,
      active: more.active ?? true,
      metadata: { ...(more.tier !== undefined && { tier: more.tier }), ...more.limits },
      features: more.features ?? [],
      unitLabel: more.unitLabel ?? null,
    })
    docs.push(['product', doc])
    return doc
  }
  const price = (key: string, input: Omit<PriceInput, 'id' | 'created'>) => {
    const doc = makePrice({ id: id('price'), created, lookupKey: key.replaceAll('.', '_'), ...input })
    prices[key] = doc
    docs.push(['price', doc])
    return doc
  }
  addPlans(product, price)
  addExtras(product, price)
  for (const coupon of coupons(created)) docs.push(['coupon', coupon])
  const entries = docs.map(([kind, doc], index) => asEntry(kind, doc, index + 1))
  for (const spec of links) {
    const at = epoch - spec.days * 86_400
    const doc = linkOf(spec, prices, (prefix) => makeId(prefix, random, at), random.text(18))
    entries.push({ ...asEntry('payment_link', doc, entries.length + 1), created: at })
  }
  return { prices, entries }
}

type AddProduct = (
  name: string,
  more: {
    description?: string
    tier?: string
    active?: boolean
    features?: string[]
    unitLabel?: string
    limits?: Record<string, string>
  },
) => Docs['product']
type AddPrice = (key: string, input: Omit<PriceInput, 'id' | 'created'>) => Price

function addPlans(product: AddProduct, price: AddPrice): void {
  for (const plan of plans) {
    const doc = product(plan.name, plan)
    for (const currency of ['usd', 'eur'] as const) {
      for (const interval of ['month', 'year'] as const) {
        const made = price(`${plan.key}.${interval}.${currency}`, {
          product: doc.id,
          currency,
          unitAmount: plan[currency][interval],
          recurring: { interval },
          nickname: `${plan.name} ${interval === 'month' ? 'monthly' : 'yearly'}`,
        })
        if (currency === 'usd' && interval === 'month') doc.default_price = made.id
      }
    }
    if (plan.key === 'business') {
      price('business.quarter.usd', {
        product: doc.id,
        currency: 'usd',
        unitAmount: 40_500,
        recurring: { interval: 'month', count: 3 },
        nickname: 'Business Care quarterly',
      })
    }
  }
  const classic = product('Classic Hosting', { description: 'No longer sold', tier: 'starter', active: false })
  price('classic.month.usd', {
    product: classic.id,
    currency: 'usd',
    unitAmount: 1200,
    recurring: { interval: 'month' },
    active: false,
  })
}

function addExtras(product: AddProduct, price: AddPrice): void {
  const seats = product('Editor seats', { description: 'People who may edit the content', unitLabel: 'seat' })
  price('seats.month.usd', {
    product: seats.id,
    currency: 'usd',
    recurring: { interval: 'month' },
    tiers: {
      mode: 'graduated',
      steps: [
        { upTo: 5, unit: 1200 },
        { upTo: 20, unit: 900 },
        { upTo: null, unit: 600 },
      ],
    },
  })
  const traffic = product('Extra traffic', { description: 'Charged by the gigabyte, after the month', unitLabel: 'GB' })
  price('traffic.month.usd', {
    product: traffic.id,
    currency: 'usd',
    unitAmountDecimal: '8.5',
    recurring: { interval: 'month', metered: 'mtr_test_61HarborPineTrafficGigabytes' },
  })
  const news = product('Weekly editing', { description: 'An hour of editing every week' })
  price('editing.week.usd', { product: news.id, currency: 'usd', unitAmount: 1900, recurring: { interval: 'week' } })
  for (const [key, name, cents] of addOns) {
    const doc = product(name, {})
    price(`addon.${key}`, { product: doc.id, currency: 'usd', unitAmount: cents, recurring: { interval: 'month' } })
  }
  for (const [key, name, cents, currency] of oneOffs) {
    price(key, { product: product(name, {}).id, currency, unitAmount: cents })
  }
}

export const couponIds = {
  nonprofit: 'NONPROFIT25',
  welcome: 'WELCOME3',
  flat: 'NEIGHBOUR10',
  once: 'FIRSTMONTH',
  seats: 'SEATS50',
} as const

const coupons = (created: number) => [
  makeCoupon({ id: couponIds.nonprofit, created, name: 'Non-profit 25 %', percentOff: 25, duration: 'forever' }),
  makeCoupon({
    id: couponIds.welcome,
    created,
    name: 'Welcome, 3 months 20 %',
    percentOff: 20,
    duration: 'repeating',
    months: 3,
  }),
  makeCoupon({
    id: couponIds.flat,
    created,
    name: 'Neighbour, $10 off',
    amountOff: { amount: 1000, currency: 'usd' },
    duration: 'forever',
  }),
  makeCoupon({ id: couponIds.once, created, name: 'First month half price', percentOff: 50, duration: 'once' }),
  makeCoupon({
    id: couponIds.seats,
    created,
    name: 'Loyal customer, year of 10 %',
    percentOff: 10,
    duration: 'repeating',
    months: 12,
  }),
]

type LinkSpec = {
  price: string
  name: string
  days: number
  quantity?: number
  isAdjustable?: boolean
  allowPromotionCodes?: boolean
  trialDays?: number
  active?: boolean
}

/** What the agency sells by a link, the oldest first. */
const links: LinkSpec[] = [
  { price: 'addon.email', name: 'Mailboxes', days: 310, quantity: 5, isAdjustable: true, active: false },
  { price: 'build.basic', name: 'Website build, one page', days: 140 },
  { price: 'starter.month.usd', name: 'Starter Care', days: 35, allowPromotionCodes: true, trialDays: 14 },
]

function linkOf(spec: LinkSpec, prices: Catalogue['prices'], id: (prefix: string) => string, code: string) {
  const { price, name, quantity = 1, isAdjustable, days: _, ...rest } = spec
  const line = makeSessionLine({
    ...{ id: id('li'), price: prices[price]!, quantity, description: name, discount: 0 },
  })
  const adjustable_quantity = isAdjustable ? { enabled: true, minimum: 0, maximum: 99 } : null
  return makePaymentLink({ id: id('plink'), code, lines: [{ ...line, adjustable_quantity }], ...rest })
}

const asEntry = (kind: Kind, doc: Docs[Kind], ord: number): Entry => ({
  kind,
  id: doc.id,
  created: 'created' in doc && typeof doc.created === 'number' ? doc.created : 0,
  ord,
  doc,
  priv: null,
  deleted: false,
})
