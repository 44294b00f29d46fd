import type { Pool } from 'pg'
import { insertRows } from './rows.ts'

// A small agency with everything that makes lists hard: equal dates and amounts, absent values, names in many scripts.
const day = 86_400_000

/** The same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const names = [
  ...[
    'Ada Lovelace',
    'ada lovelace',
    'Émile Zola',
    'emile ajar',
    '100% Organic',
    'under_score',
    'back\\slash',
    "O'Connor",
  ],
  ...[
    'דוד לוי',
    'محمد علي',
    '田中 太郎',
    'Ольга Петрова',
    '🙂 Smile',
    'Æsir',
    'Zoë',
    'Jo',
    'x',
    '<script>alert(1)</script>',
    null,
  ],
]
const companies = ['Acme 100%', 'Blue_Door', null, 'Ünal & Söhne', 'Acme']
const descriptions = ['Subscription update', 'Deposit 50%', 'Invoice A_7', null, 'Überweisung', 'Subscription creation']

export type BillingRows = {
  customers: {
    id: string
    name: string | null
    email: string | null
    company: string | null
    created_at: string
    country: string | null
  }[]
  subscriptions: {
    id: string
    customer_id: string
    product_id: string
    status: string
    amount: number
    created_at: string
    current_period_end: string | null
  }[]
  payments: {
    id: string
    customer_id: string | null
    amount: number
    currency: string
    status: string
    created_at: string
    description: string | null
    amount_captured: number
    amount_refunded: number
    counts_as_failed: boolean
    disputed: boolean
  }[]
  products: { id: string; name: string }[]
}

export function makeBillingRows(
  now: string,
  counts = { customers: 60, subscriptions: 90, payments: 240 },
): BillingRows {
  const random = createRandom(7)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  // Whole days, so that many rows share an instant.
  const ago = (days: number) => new Date(Date.parse(now) - Math.floor(random() * days) * day).toISOString()
  const id = (prefix: string, index: number) => `${prefix}_${Math.floor(random() * 36 ** 6).toString(36)}Z${index}`
  const products = ['Business', 'Starter 100%', 'Größe'].map((name, index) => ({ id: `prod_${index}`, name }))
  const customers = Array.from({ length: counts.customers }, (_, index) => ({
    id: id('cus', index),
    name: pick(names),
    email: random() < 0.8 ? `person${index % 17}@${pick(['example.com', 'ex_ample.org'])}` : null,
    company: pick(companies),
    created_at: ago(90),
    country: pick(['US', 'DE', 'JP', null]),
  }))
  const subscriptions = Array.from({ length: counts.subscriptions }, (_, index) => ({
    id: id('sub', index),
    customer_id: pick(customers).id,
    product_id: pick(products).id,
    status: pick(['active', 'active', 'past_due', 'cancelled', 'trialing', 'unpaid', 'incomplete', 'paused']),
    amount: pick([1000, 2500, 2500, 9900]),
    created_at: ago(90),
    current_period_end: random() < 0.7 ? ago(-30) : null,
  }))
  const payments = Array.from({ length: counts.payments }, (_, index) => {
    const status = pick(['succeeded', 'succeeded', 'succeeded', 'refunded', 'failed', 'pending', 'processing'])
    const amount = pick([1000, 2500, 2500, 4900])
    const isPaid = status === 'succeeded' || status === 'refunded'
    return {
      id: id('pi', index),
      customer_id: random() < 0.9 ? pick(customers).id : null,
      amount,
      currency: pick(['usd', 'usd', 'eur']),
      status,
      created_at: ago(90),
      description: pick(descriptions),
      amount_captured: isPaid ? amount : 0,
      amount_refunded: status === 'refunded' ? amount : isPaid && random() < 0.2 ? 300 : 0,
      counts_as_failed: status === 'failed' && random() < 0.8,
      disputed: isPaid && random() < 0.1,
    }
  })
  return { customers, subscriptions, payments, products }
}

export async function insertBillingRows(pool: Pool, rows: BillingRows): Promise<void> {
  await insertRows(pool, 'stripe_accounts', [{ id: 'acct_1' }])
  await insertRows(pool, 'products', rows.products)
  await insertRows(pool, 'customers', rows.customers)
  await insertRows(
    pool,
    'subscriptions',
    rows.subscriptions.map((subscription) => ({
      ...subscription,
      price_id: `price_of_${subscription.product_id}`,
      mrr: ['active', 'past_due'].includes(subscription.status) ? `${subscription.amount}.5` : 0,
      mrr_running: subscription.amount,
      running_from: subscription.created_at,
      ended_at: subscription.status === 'cancelled' ? subscription.created_at : null,
      stripe_status: subscription.status,
    })),
  )
  await insertRows(
    pool,
    'payments',
    rows.payments.map(({ disputed: _, ...payment }) => ({ ...payment, stripe_status: payment.status })),
  )
  await insertRows(
    pool,
    'disputes',
    rows.payments
      .filter((payment) => payment.disputed)
      .map(({ id }, index) => ({
        id: `dp_${index}`,
        payment_id: id,
        amount: 500,
        currency: rows.payments.find((payment) => payment.id === id)?.currency,
        status: index % 2 === 0 ? 'lost' : 'needs_response',
      })),
  )
}
