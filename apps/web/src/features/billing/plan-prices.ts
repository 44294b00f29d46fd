import type { Plan } from '@agency/contract/types'

type Price = Plan['prices'][number]
export type PriceFigure = { amount: number; derived: boolean }
export type CurrencyPrices = { currency: string; monthly: PriceFigure; yearly: PriceFigure }

/**
 * A monthly and a yearly price in each currency: the one that is charged where there is one, else the one that follows
 * from the other (amount / 12, amount x 12). Prices that this does not show are listed beside it.
 */
export function pricesOf(plan: Plan): { byCurrency: CurrencyPrices[]; others: Price[] } {
  const current = plan.prices.filter((price) => price.active || !plan.active)
  const currencies = [...new Set(current.map((price) => price.currency))]
  const shown = new Set<Price>()
  const byCurrency = currencies.flatMap((currency) => {
    const own = current.filter((price) => price.currency === currency)
    const month = own.find((price) => isCharged(price, 'month'))
    const year = own.find((price) => isCharged(price, 'year'))
    const from = month ?? year ?? own.find((price) => price.monthly_price !== null && price.yearly_price !== null)
    if (from?.monthly_price == null || from.yearly_price == null) return []
    for (const price of [month, year]) if (price) shown.add(price)
    return {
      currency,
      monthly: figure(month?.amount ?? null, from.monthly_price),
      yearly: figure(year?.amount ?? null, from.yearly_price),
    }
  })
  return { byCurrency, others: current.filter((price) => !shown.has(price)) }
}

function isCharged({ interval, interval_count, amount, monthly_price }: Price, unit: 'month' | 'year'): boolean {
  return interval === unit && interval_count === 1 && amount !== null && monthly_price !== null
}

function figure(charged: number | null, derived: number): PriceFigure {
  return charged === null ? { amount: derived, derived: true } : { amount: charged, derived: false }
}
