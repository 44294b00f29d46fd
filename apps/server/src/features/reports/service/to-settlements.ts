import type { GrossToNet, Settlement } from '@agency/contract/types'
import type { Part } from '../queries/bounds.ts'
import type { RevenueSum } from '../queries/revenue-sums.ts'
import type { SettlementSum } from '../queries/settlements.ts'

type Sums = Record<'gross' | 'refunds' | 'disputes' | 'tax', number>
const add = (a: Sums, b: Sums): Sums => ({
  gross: a.gross + b.gross,
  refunds: a.refunds + b.refunds,
  disputes: a.disputes + b.disputes,
  tax: a.tax + b.tax,
})
const zero: Sums = { gross: 0, refunds: 0, disputes: 0, tax: 0 }
const withRevenue = ({ gross, refunds, disputes, tax }: Sums) => ({
  ...{ gross, refunds, disputes, tax },
  revenue: gross - refunds - disputes,
})

/** Fees are known in a currency when what was paid in it was also settled in it, and nothing else was. */
function feesOf(
  currency: string,
  settled: readonly SettlementSum[] | null,
): { amount: number | null; reason: string | null } {
  if (settled === null) return { amount: null, reason: 'No balance transactions yet' }
  if (settled.some(({ converted }) => converted > 0)) {
    return { amount: null, reason: 'Some payments were converted: see fees by settlement currency' }
  }
  return {
    amount: settled.filter((sum) => sum.currency === currency).reduce((total, { fees }) => total + fees, 0),
    reason: null,
  }
}

export function toGrossToNet(
  months: readonly Part[],
  sums: readonly RevenueSum[],
  settled: readonly SettlementSum[] | null,
  currencies: readonly string[],
): GrossToNet[] {
  return currencies.map((currency) => {
    const own = sums.filter((sum) => sum.currency === currency)
    const total = withRevenue(own.reduce(add, zero))
    const fees = feesOf(currency, settled)
    return {
      currency,
      ...total,
      months: months.map(({ name, from, until, partial }, index) => ({
        ...{ month: name, from, until, partial },
        ...withRevenue(own.find(({ part }) => part === index + 1) ?? zero),
      })),
      fees: { ...fees, currency },
      net: { amount: fees.amount === null ? null : total.revenue - fees.amount, currency, reason: fees.reason },
    }
  })
}

export function toSettlements(months: readonly Part[], sums: readonly SettlementSum[]): Settlement[] {
  const currencies = [...new Set(sums.map(({ currency }) => currency))]
  return currencies.map((currency) => {
    const own = sums.filter((sum) => sum.currency === currency)
    const total = (name: 'charges' | 'refunds' | 'disputes' | 'other' | 'fees' | 'net' | 'converted') =>
      own.reduce((sum, one) => sum + one[name], 0)
    return {
      currency,
      charges: total('charges'),
      refunds: total('refunds'),
      disputes: total('disputes'),
      other: total('other'),
      fees: total('fees'),
      net: total('net'),
      converted: total('converted'),
      months: months.map(({ name, from, until, partial }, index) => {
        const part = own.find((one) => one.part === index + 1)
        return { ...{ month: name, from, until, partial }, fees: part?.fees ?? 0, net: part?.net ?? 0 }
      }),
    }
  })
}
