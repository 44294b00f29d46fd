import { type Fields, fields, idOf, integer, items } from './fields.ts'
import { factorOf } from './mrr.ts'
import { add, multiply, parseDecimal, type Rational, ratio, subtract, toDecimal, whole, zero } from './rational.ts'

/** From `at` (Unix seconds) on, so much a month. */
export type PaidMrr = { at: number; mrr: string }

type Line = {
  amount: Rational
  start: number
  end: number
  price: string | null
  quantity: number
  isProration: boolean
}

const averageMonthS = (365 * 86_400) / 12

const priceIdOf = (line: Fields): string | null =>
  idOf(fields(fields(line['pricing'])['price_details'])['price']) ?? idOf(line['price'])

/** Discounts that an earlier invoice had and a later one lacks were for once, and MRR leaves those out. */
function lastingDiscounts(invoices: readonly Fields[]): Set<string> {
  const seen = new Map<string, number>()
  for (const invoice of invoices) {
    const named = new Set(items(invoice['lines']).flatMap((line) => items(line['discount_amounts']).map(discountIdOf)))
    for (const id of named) if (id !== null) seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  return new Set([...seen].filter(([, count]) => count > 1).map(([id]) => id))
}

const discountIdOf = (discount: Fields): string | null => idOf(discount['discount'])

function toLine(line: Fields, lasting: ReadonlySet<string>): Line | null {
  const parent = fields(line['parent'])
  const details = fields(parent['subscription_item_details'])
  const proration = details['proration'] === true || fields(parent['invoice_item_details'])['proration'] === true
  if (parent['type'] !== 'subscription_item_details' && !proration) return null
  const amount = integer(line['amount'])
  const start = integer(fields(line['period'])['start'])
  const end = integer(fields(line['period'])['end'])
  if (amount === null || start === null || end === null || end <= start) return null
  const off = items(line['discount_amounts'])
    .filter((discount) => lasting.has(discountIdOf(discount) ?? ''))
    .reduce((sum, discount) => sum + (integer(discount['amount']) ?? 0), 0)
  return {
    ...{ amount: whole(amount - off), start, end, isProration: proration },
    ...{ price: priceIdOf(line), quantity: integer(line['quantity']) ?? 1 },
  }
}

/** A period's amount as a month: by the interval of its price, else by how long it is. */
function monthly({ amount, start, end, price }: Line, prices: ReadonlyMap<string, Fields>): Rational {
  const factor = factorOf(prices.get(price ?? '') ?? {})
  if (factor !== null) return multiply(amount, factor)
  return multiply(amount, ratio(BigInt(Math.round(averageMonthS)), BigInt(end - start)))
}

/** A proration is for the rest of a period: what the whole one costs is what the price says. */
function monthlyOfProration(line: Line, prices: ReadonlyMap<string, Fields>): Rational {
  const price = prices.get(line.price ?? '') ?? {}
  const factor = factorOf(price)
  const unit = parseDecimal(price['unit_amount_decimal']) ?? parseDecimal(price['unit_amount'])
  if (factor === null || unit === null) return monthly({ ...line, price: null }, prices)
  const full = multiply(multiply(unit, whole(line.quantity)), factor)
  return line.amount.n < 0n ? subtract(zero, full) : full
}

const sum = (values: Rational[]): Rational => values.reduce(add, zero)

/** Renewals differ by minutes from the period before; a day without is a gap. */
const graceS = 86_400

/**
 * What a subscription paid a month, from the lines of its paid invoices: recurring ones say what it was from their period
 * on, prorations by how much it changed in between, and a period that nothing was paid for is a gap.
 */
export function paidMrr(paidInvoices: readonly Fields[], prices: ReadonlyMap<string, Fields>): PaidMrr[] {
  const lasting = lastingDiscounts(paidInvoices)
  const lines = paidInvoices.flatMap((invoice) => items(invoice['lines'])).map((line) => toLine(line, lasting))
  const byStart = new Map<number, Line[]>()
  for (const line of lines) if (line) byStart.set(line.start, [...(byStart.get(line.start) ?? []), line])
  const points: { at: number; mrr: Rational }[] = []
  let now = zero
  let paidUntil = 0
  for (const [at, started] of [...byStart].sort(([a], [b]) => a - b)) {
    if (paidUntil > 0 && at > paidUntil + graceS) {
      points.push({ at: paidUntil, mrr: zero })
      now = zero
    }
    const recurring = started.filter((line) => !line.isProration)
    const prorated = started.filter((line) => line.isProration)
    if (recurring.length > 0) now = sum(recurring.map((line) => monthly(line, prices)))
    else now = add(now, sum(prorated.map((line) => monthlyOfProration(line, prices))))
    if (now.n < 0n) now = zero
    points.push({ at, mrr: now })
    paidUntil = Math.max(paidUntil, ...started.map(({ end }) => end))
  }
  return points
    .map(({ at, mrr }) => ({ at, mrr: toDecimal(mrr) }))
    .filter(({ mrr }, index, all) => mrr !== (all[index - 1]?.mrr ?? '0'))
}
