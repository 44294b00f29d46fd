// US English throughout. Written by hand, because the browser's own formatters take longer to be made than a whole table
// to be shown; the tests hold every currency and many numbers against them.

// Where the provider's minor unit is not a hundredth. ISO 4217 disagrees for a few (MGA), so Intl cannot be asked.
const minorDigits: Record<string, number> = {
  ...Object.fromEntries('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ').map((c) => [c, 0])),
  ...Object.fromEntries('bhd jod kwd omr tnd'.split(' ').map((c) => [c, 3])),
}

const symbols: Record<string, string> = {
  AUD: 'A$',
  BRL: 'R$',
  CAD: 'CA$',
  CNY: 'CN¥',
  EUR: '€',
  GBP: '£',
  HKD: 'HK$',
  ILS: '₪',
  INR: '₹',
  JPY: '¥',
  KRW: '₩',
  MXN: 'MX$',
  NZD: 'NZ$',
  PHP: '₱',
  TWD: 'NT$',
  USD: '$',
  VND: '₫',
  XAF: 'FCFA',
  XCD: 'EC$',
  XCG: 'Cg.',
  XOF: 'F\u202fCFA',
  XPF: 'CFPF',
}

export function currencyDigits(currency: string): number {
  return minorDigits[currency.toLowerCase()] ?? 2
}

function withCommas(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number with at most that many decimals: `1,234.5`. */
export function formatNumber(value: number, decimals = 0): string {
  const [whole = '0', fraction = ''] = Math.abs(value).toFixed(decimals).split('.')
  const rest = fraction.replace(/0+$/, '')
  const text = withCommas(whole) + (rest && `.${rest}`)
  return value < 0 && text !== '0' ? `-${text}` : text
}

function inCurrency(amount: string, currency: string): string {
  const code = currency.toUpperCase()
  const symbol = symbols[code] ?? code
  const [sign, size] = amount.startsWith('-') ? ['-', amount.slice(1)] : ['', amount]
  const [whole = '0', fraction] = size.split('.')
  // What ends like a word keeps its distance.
  const gap = /[^\p{S}]$/u.test(symbol) ? '\u00a0' : ''
  return `${sign}${symbol}${gap}${withCommas(whole)}${fraction ? `.${fraction}` : ''}`
}

/** `$1,234.50` from 123450 and 'usd'. */
export function formatMoney(amount: number, currency: string): string {
  return inCurrency(moneyToField(amount, currency), currency)
}

/** The same of an amount that may not be known. */
export function formatMoneyIfKnown(amount: number | null, currency: string): string {
  return amount === null ? 'Unavailable' : formatMoney(amount, currency)
}

/** `$12.30 USD`: the sign alone may be that of several currencies. */
export function formatMoneyWithCode(amount: number, currency: string): string {
  return `${formatMoney(amount, currency)} ${currency.toUpperCase()}`
}

/** `$12.3K` from 1234500 and 'usd', for tight places; the exact value belongs in a title. */
export function formatMoneyShort(amount: number, currency: string): string {
  const units = amount / 10 ** currencyDigits(currency)
  if (Math.abs(units) < 10_000) return formatMoney(amount, currency)
  const [scaled, suffix] = Math.abs(units) >= 999_950 ? [units / 1e6, 'M'] : [units / 1e3, 'K']
  return inCurrency(scaled.toFixed(1), currency) + suffix
}

/** The number that a field shows for an amount: `40.00`. */
export function moneyToField(amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  // As text, because a division would round the cents of very large amounts.
  const all = String(Math.abs(amount)).padStart(digits + 1, '0')
  const split = all.length - digits
  return `${amount < 0 ? '-' : ''}${all.slice(0, split)}${digits ? '.' : ''}${all.slice(split)}`
}

// `12,30` must not become 1,230: a comma is read only where it groups thousands.
const amountText = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/

/** The amount in minor units that a field holds, read without floating point, or null when it is not one. */
export function fieldToMoney(text: string, currency: string): number | null {
  const digits = currencyDigits(currency)
  const match = amountText.exec(text.trim())
  const fraction = match?.[2] ?? ''
  if (!match?.[1] || fraction.length > digits) return null
  return Number(match[1].replaceAll(',', '') + fraction.padEnd(digits, '0'))
}

/** `1,234` */
export function formatCount(value: number): string {
  return formatNumber(value)
}

/** `1.2K`, `3.4M`; below a thousand the number itself. */
export function formatCountShort(value: number): string {
  const size = Math.abs(value)
  if (size >= 999_950) return `${formatNumber(value / 1e6, 1)}M`
  return size >= 1000 ? `${formatNumber(value / 1e3, 1)}K` : formatNumber(value)
}

/** `12.4%` from 12.4 */
export function formatPercent(value: number, digits = 1): string {
  return `${formatNumber(value, digits)}%`
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** `1.5 MB`, in steps of 1024. */
export function formatBytes(bytes: number): string {
  const step = bytes > 0 ? Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10)) : 0
  return `${formatNumber(bytes / 1024 ** step, 1)} ${byteUnits[step]}`
}

/** `350 ms`, `1.2 s`: above 1,000 ms as seconds. */
export function formatDuration(ms: number): string {
  return ms > 1000 ? `${formatNumber(ms / 1000, 1)} s` : `${formatNumber(Math.round(ms), 0)} ms`
}

/** `4:05` from 245 */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

let countryNames: Intl.DisplayNames | undefined

/** `Germany` from `DE`; what is no country code stays as it is. */
export function countryName(code: string): string {
  if (!/^[A-Za-z]{2}$/.test(code)) return code
  countryNames ??= new Intl.DisplayNames('en-US', { type: 'region', fallback: 'code' })
  return countryNames.of(code.toUpperCase()) ?? code
}
