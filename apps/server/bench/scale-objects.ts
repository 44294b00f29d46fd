import type { ProviderObject } from '../src/integrations/stripe/gateway.ts'
import type { Jobs } from '../src/platform/jobs.ts'

// Objects in the provider's shape, each made from its number alone: the same numbers give the same database.
const given = [
  'Ada',
  'Bela',
  'Chloé',
  'Dimitri',
  'Elif',
  'Farid',
  'Grace',
  'Hiro',
  'Ines',
  'Jonas',
  'Kalina',
  'Luca',
  'Mina',
  'Noor',
  'Otto',
  'Priya',
  'Quentin',
  'Rosa',
  'Sven',
  'Tomás',
  'Uma',
  'Vera',
  'Wen',
  'Xenia',
  'Yusuf',
  'Zoë',
]
const family = [
  'Abbott',
  'Bergström',
  'Castellano',
  'Dvořák',
  'Eriksen',
  'Fontaine',
  'Grünwald',
  'Hayashi',
  'Ivanova',
  'Jankowski',
  'Kovač',
  'Lindqvist',
  'Moreau',
  'Nakamura',
  'Okafor',
  'Petrov',
  'Quiroga',
  'Rossi',
  'Schäfer',
  'Tanaka',
  'Ueda',
  'Vasquez',
  'Weber',
  'Xu',
  'Yamada',
  'Zielinski',
]
const trades = [
  'Bakery',
  'Dental Care',
  'Architects',
  'Cycling',
  'Vineyards',
  'Legal',
  'Robotics',
  'Florists',
  'Yoga',
  'Printing',
  'Ferries',
  'Opticians',
  'Catering',
  'Gardens',
  'Music School',
  'Joinery',
]
const countries = ['US', 'US', 'US', 'DE', 'FR', 'GB', 'JP', 'BR', 'CA', 'IT']
const descriptions = [
  'Subscription update',
  'Subscription creation',
  'Extra work on the site',
  'Photography day',
  'Domain transfer',
]

const day = 86_400
const years = 2

/** A number that looks random and belongs to its index: splitmix64's mixing, cut to 32 bits. */
function mix(index: number, salt: number): number {
  let z = (index * 0x9e3779b1 + salt * 0x85ebca6b) | 0
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
  return (z ^ (z >>> 15)) >>> 0
}

const pick = <T>(list: readonly T[], index: number, salt: number): T => list[mix(index, salt) % list.length]!
const idOf = (prefix: string, index: number): string =>
  `${prefix}_scale${mix(index, 1).toString(36).padStart(7, '0')}${index.toString(36).padStart(6, '0')}`

const customerId = (index: number): string => idOf('cus', index)

/** Whole seconds, spread over the last two years before `now`. */
const createdAt = (index: number, salt: number, now: number): number => now - (mix(index, salt) % (years * 365 * day))

export const plans = [
  { tier: 'starter', amount: 2900 },
  { tier: 'professional', amount: 7900 },
  { tier: 'enterprise', amount: 39_900 },
]

export function scaleProduct(index: number, now: number): ProviderObject {
  const tier = plans[index]?.tier ?? 'starter'
  return {
    id: `prod_scale${index}`,
    object: 'product',
    name: `${tier[0]?.toUpperCase()}${tier.slice(1)} Care`,
    description: null,
    active: true,
    metadata: { tier },
    created: now - years * 365 * day,
    livemode: false,
  }
}

export function scalePrice(index: number, now: number): ProviderObject {
  return {
    id: `price_scale${index}`,
    object: 'price',
    product: `prod_scale${index}`,
    nickname: null,
    active: true,
    currency: 'usd',
    type: 'recurring',
    billing_scheme: 'per_unit',
    unit_amount: plans[index]?.amount ?? 0,
    unit_amount_decimal: String(plans[index]?.amount ?? 0),
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    created: now - years * 365 * day,
    livemode: false,
    metadata: {},
  }
}

export function scaleCustomer(index: number, now: number): ProviderObject {
  const first = pick(given, index, 11)
  const last = pick(family, index, 12)
  const company = `${last} ${pick(trades, index, 13)}`
  return {
    id: customerId(index),
    object: 'customer',
    name: `${first} ${last} ${index.toString(36)}`,
    email: `${first}.${last}.${index}@example.test`.toLowerCase(),
    phone: null,
    created: createdAt(index, 14, now),
    address: { country: pick(countries, index, 15) },
    metadata: { company },
    livemode: false,
    discount: null,
  }
}

export function scaleSubscription(index: number, customers: number, now: number): ProviderObject {
  const plan = mix(index, 21) % plans.length
  const created = createdAt(index, 22, now)
  const roll = mix(index, 23) % 100
  const status = roll < 70 ? 'active' : roll < 76 ? 'past_due' : roll < 80 ? 'trialing' : 'canceled'
  const ended = status === 'canceled' ? Math.min(now, created + 200 * day) : null
  const id = idOf('sub', index)
  return {
    id,
    object: 'subscription',
    customer: customerId(mix(index, 24) % customers),
    status,
    currency: 'usd',
    created,
    start_date: created,
    ended_at: ended,
    canceled_at: ended,
    cancel_at: null,
    cancel_at_period_end: false,
    trial_end: status === 'trialing' ? now + 7 * day : null,
    pause_collection: null,
    discounts: [],
    metadata: {},
    livemode: false,
    items: {
      object: 'list',
      has_more: false,
      data: [
        {
          id: idOf('si', index),
          object: 'subscription_item',
          quantity: 1,
          discounts: [],
          price: scalePrice(plan, now),
          current_period_start: now - 10 * day,
          current_period_end: now + 20 * day,
        },
      ],
    },
  }
}

/** An intent with its latest charge, as the provider answers it with the expansion that the mirror asks for. */
export function scalePayment(index: number, customers: number, now: number): ProviderObject {
  const amount = plans[mix(index, 31) % plans.length]?.amount ?? 0
  const created = createdAt(index, 32, now)
  const roll = mix(index, 33) % 100
  const isPaid = roll < 94
  const refunded = roll < 2 ? amount : roll < 5 ? Math.floor(amount / 3) : 0
  const customer = customerId(mix(index, 34) % customers)
  const currency = mix(index, 35) % 10 === 0 ? 'eur' : 'usd'
  const id = idOf('pi', index)
  const failure = isPaid
    ? null
    : {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      }
  const charge = {
    id: idOf('ch', index),
    object: 'charge',
    payment_intent: id,
    customer,
    amount,
    currency,
    created,
    amount_captured: isPaid ? amount : 0,
    amount_refunded: isPaid ? refunded : 0,
    refunded: isPaid && refunded === amount,
    status: isPaid ? 'succeeded' : 'failed',
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    livemode: false,
    metadata: {},
  }
  return {
    id,
    object: 'payment_intent',
    customer,
    amount,
    amount_received: isPaid ? amount : 0,
    currency,
    created,
    status: isPaid ? 'succeeded' : 'requires_payment_method',
    last_payment_error: failure,
    description: pick(descriptions, index, 36),
    latest_charge: charge,
    payment_method_types: ['card'],
    livemode: false,
    metadata: {},
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('Writing for the bench asked for a job, which nobody would do')
}
export const withoutJobs: Jobs = {
  ...{ enqueue: refuse, work: refuse, findQueues: refuse, hold: refuse, stop: refuse },
  nextRun: () => null,
}
