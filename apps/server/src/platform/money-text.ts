// Where the provider's minor unit is not a hundredth. ISO 4217 disagrees for a few (MGA), so Intl cannot be asked.
const minorDigits: Record<string, number> = {
  ...Object.fromEntries('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((c) => [c, 0])),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((c) => [c, 3])),
}

const digitsOf = (currency: string): number => minorDigits[currency.toLowerCase()] ?? 2

/** Brings amounts of different currencies into one order, as if a unit of each were worth the same. Not a sum of money. */
export const orderOfMoney = (amounts: readonly { amount: number; currency: string }[]): number =>
  Math.round(amounts.reduce((sum, { amount, currency }) => sum + amount / 10 ** (digitsOf(currency) - 2), 0))

/** `1234.50` from 123450 and 'usd', for files that programs read. */
export function decimalText(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`
  return `${amount < 0 ? '-' : ''}${text.slice(0, text.length - digits)}${fraction}`
}

/** `$1,234.50` from 123450 and 'usd', for sentences that the server writes. */
export function moneyText(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}

/** `$1.2K` for the marks of a chart. */
export function moneyShort(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    ...{ style: 'currency', currency: currency.toUpperCase(), notation: 'compact' },
    ...{ minimumFractionDigits: 0, maximumFractionDigits: 1 },
    // Of a negative zero no sign is shown.
  }).format((amount || 0) / 10 ** digitsOf(currency))
}
