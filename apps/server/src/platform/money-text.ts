// Where the provider's minor unit is not a hundredth. ISO 4217 disagrees for a few (MGA), so Intl cannot be asked.
const minorDigits: Record<string, number> = {
  ...Object.fromEntries('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((c) => [c, 0])),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((c) => [c, 3])),
}

/** `$1,234.50` from 123450 and 'usd', for sentences that the server writes. */
export function moneyText(amount: number, currency: string): string {
  const digits = minorDigits[currency.toLowerCase()] ?? 2
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}
